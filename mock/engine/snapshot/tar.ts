/** A file or directory, and its place in the bytes of the snapshot. */
export interface SnapshotEntry {
  readonly path: string
  readonly directory: boolean
  readonly offset: number
  readonly size: number
}

const block = 512
const decoder = new TextDecoder()

/**
 * Reads the list of files of a tar archive as PGlite writes it (ustar, no extended headers).
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
  while (at + block <= bytes.length) {
    const name = text(at, 100)
    if (name === '') break
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8)
    const prefix = text(at + 345, 155)
    const path = `/${prefix}/${name}`.replace(/\/+/g, '/')
    const isComplete = size >= 0 && at + block + size <= bytes.length
    if (text(at + 257, 5) !== 'ustar' || !isComplete || path.split('/').includes('..'))
      throw new Error('The snapshot is not a tar archive.')
    entries.push({ path, directory: bytes[at + 156] === 0x35, offset: at + block, size })
    at += block + Math.ceil(size / block) * block
  }
  if (entries.length === 0) throw new Error('The snapshot is empty.')
  return entries
}
