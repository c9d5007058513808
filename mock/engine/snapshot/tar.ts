/** A file or directory, and its place in the bytes of the snapshot. */
export interface SnapshotEntry {
  readonly path: string
  readonly directory: boolean
  readonly offset: number
  readonly size: number
}

/** The unit of an archive, in bytes. */
export const blockBytes = 512

/** The bytes of the blocks that hold a file. */
export const blocksOf = (size: number): number => Math.ceil(size / blockBytes) * blockBytes

/** The empty blocks at the end. */
export const tarEnd = 2 * blockBytes

const decoder = new TextDecoder()

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

/** The block before a file or directory. The path is short, as all paths of PostgreSQL. */
export function tarHeader(path: string, size: number, isDirectory: boolean): Uint8Array {
  const withSum = (sum: string) =>
    new TextEncoder().encode(
      [
        path.padEnd(100, '\0'),
        octal(isDirectory ? 0o700 : 0o600, 7),
        octal(0, 7).repeat(2),
        octal(size, 11),
        octal(0, 11),
        sum,
        isDirectory ? '5' : '0',
        '\0'.repeat(100),
        'ustar\x0000',
        '\0'.repeat(blockBytes - 265),
      ].join(''),
    )
  const sum = withSum(' '.repeat(8)).reduce((sum, byte) => sum + byte)
  return withSum(`${octal(sum, 6)} `)
}

/**
 * Reads the list of files of a tar archive (ustar, no extended headers).
 *
 * @throws Error if the bytes are not such an archive
 */
export function readTar(bytes: Uint8Array): SnapshotEntry[] {
  const text = (at: number, length: number) => {
    // copied because TextDecoder refuses shared memory
    const field = bytes.slice(at, at + length)
    const end = field.indexOf(0)
    return decoder.decode(end < 0 ? field : field.subarray(0, end))
  }
  const entries: SnapshotEntry[] = []
  let at = 0
  while (at + blockBytes <= bytes.length) {
    const name = text(at, 100)
    if (name === '') break
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8)
    const prefix = text(at + 345, 155)
    const path = `/${prefix}/${name}`.replace(/\/+/g, '/')
    const isComplete = size >= 0 && at + blockBytes + size <= bytes.length
    if (text(at + 257, 5) !== 'ustar' || !isComplete || path.split('/').includes('..'))
      throw new Error('The snapshot is not a tar archive.')
    entries.push({ path, directory: bytes[at + 156] === 0x35, offset: at + blockBytes, size })
    at += blockBytes + blocksOf(size)
  }
  if (entries.length === 0) throw new Error('The snapshot is empty.')
  return entries
}
