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

/** The option is in the ES2024 library of TypeScript, which is not used here. */
const ResizableBuffer = ArrayBuffer as new (bytes: number, limit: { maxByteLength: number }) => ArrayBuffer
