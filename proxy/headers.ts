/**
 * Headers that describe how one connection carries a message (RFC 9110, section 7.6.1); node writes them for the other. It
 * writes Trailer to no message of a declared length, and trailers are not passed on.
 */
const OF_TRANSFER = new Set([
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The headers to pass on, as a list of names and values in turn: with their spelling, order and repetitions. `Connection:
 * close` and Keep-Alive pass too, because the connections of both sides end together.
 *
 * @param raw the `rawHeaders` of a message
 * @param without further names in lower case
 */
export function passedOn(raw: readonly string[], without: readonly string[] = []): string[] {
  const dropped = new Set([...without, ...namedByConnection(raw)])
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!]
    const plain = name.toLowerCase()
    if (plain === 'connection' && !/^(close|keep-alive)$/i.test(value.trim())) continue
    if (!OF_TRANSFER.has(plain) && !dropped.has(plain)) kept.push(name, value)
  }
  return kept
}

/** Further headers that the message declares to be of the connection. */
function namedByConnection(raw: readonly string[]): string[] {
  const names: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.toLowerCase() === 'connection')
      names.push(...raw[at + 1]!.split(',').map((name) => name.trim().toLowerCase()))
  return names.filter((name) => name !== 'close' && name !== 'keep-alive')
}
