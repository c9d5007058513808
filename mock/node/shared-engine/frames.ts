import type { Socket } from 'node:net'

/** A message between a test worker and the process with the engine: JSON and bytes. */
export interface Frame<Head> {
  readonly head: Head
  readonly bytes: Uint8Array
}

/** The lengths of the two parts, as unsigned integers of 32 bits. */
const lengthBytes = 8

/** Resolves when the bytes are sent, or the socket was closed. */
export async function writeFrame(
  socket: Socket,
  head: object,
  bytes: Uint8Array = new Uint8Array(),
): Promise<void> {
  const json = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(lengthBytes)
  lengths.writeUInt32BE(json.length, 0)
  lengths.writeUInt32BE(bytes.length, 4)
  socket.cork()
  socket.write(lengths)
  socket.write(json)
  const sent = new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  socket.uncork()
  await sent
}

/** Reads the frames of a socket one by one. */
export class FrameReader<Head> {
  readonly #parts: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#parts = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /**
   * The next frame; undefined if the socket ended, or the frame is too long.
   *
   * @param maxBytes the length of the longest frame. Default: any length
   */
  async next(maxBytes = Number.POSITIVE_INFINITY): Promise<Frame<Head> | undefined> {
    if (!(await this.#fill(lengthBytes))) return undefined
    const [headLength, length] = [this.#held.readUInt32BE(0), this.#held.readUInt32BE(4)]
    const end = lengthBytes + headLength + length
    if (end > maxBytes || !(await this.#fill(end))) return undefined
    const head = JSON.parse(this.#held.toString('utf8', lengthBytes, lengthBytes + headLength)) as Head
    const bytes = new Uint8Array(this.#held.subarray(lengthBytes + headLength, end))
    this.#held = this.#held.subarray(end)
    return { head, bytes }
  }

  async #fill(length: number): Promise<boolean> {
    const parts: Uint8Array[] = [this.#held]
    let held = this.#held.length
    while (held < length) {
      const { done, value } = await this.#parts.next()
      if (done) return false
      parts.push(value)
      held += value.length
    }
    if (parts.length > 1) this.#held = Buffer.concat(parts)
    return true
  }
}
