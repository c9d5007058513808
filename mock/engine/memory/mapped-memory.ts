/** Smaller blocks are not mapped by glibc either. */
const smallestMapped = 128 << 10

/**
 * Memory that goes back to the operating system when it is collected.
 *
 * glibc maps large blocks only until one of up to 32 MB is freed: from then on it keeps blocks of that size in its heaps, which
 * rarely shrink (M_MMAP_THRESHOLD in mallopt(3)). V8 maps a resizable buffer itself.
 */
export const mappedMemory = (bytes: number): Uint8Array<ArrayBuffer> =>
  bytes < smallestMapped
    ? new Uint8Array(bytes)
    : new Uint8Array(new ResizableBuffer(bytes, { maxByteLength: bytes }))

/** The same bytes for a Response or a decoder of a browser, which refuse mapped memory. */
export const ordinaryMemory = (bytes: Uint8Array): Uint8Array =>
  (bytes.buffer as ResizableBuffer).resizable ? bytes.slice() : bytes

/**
 * A copy that {@link resize} makes longer in place, or shorter; then the memory goes back at once. Where buffers cannot be resized,
 * it has room for twice as much.
 *
 * @param most the longest it may become, in bytes: addresses are reserved for it, but no memory
 */
export function growingMemory(bytes: Uint8Array, length: number, most: number): Uint8Array {
  const buffer = new ResizableBuffer(canResize ? length : 2 * length, { maxByteLength: most })
  const copy = new Uint8Array(buffer)
  copy.set(bytes)
  return copy
}

/** Changes the length of memory of this module in place. @returns false if it cannot have this length */
export function resize(bytes: Uint8Array, length: number): boolean {
  const buffer = bytes.buffer as ResizableBuffer
  if (!buffer.resizable || length > buffer.maxByteLength) return false
  buffer.resize(length)
  return true
}

/** The option is in the ES2024 library of TypeScript, which is not used here. */
const ResizableBuffer = ArrayBuffer as unknown as new (
  bytes: number,
  limit: { maxByteLength: number },
) => ResizableBuffer

interface ResizableBuffer extends ArrayBuffer {
  readonly resizable: boolean
  readonly maxByteLength: number
  resize(bytes: number): void
}

const canResize = 'resize' in ArrayBuffer.prototype
