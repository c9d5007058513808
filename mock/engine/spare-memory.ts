/** Size of the chunks of a large result in bytes. */
export const chunkBytes = 262_144

/** The most chunks that are kept: those of the pages that an engine may send unread, and of the one that is being read. */
const mostSpares = 16

/** Chunks whose readers are done with them, to be written again: a new one for each would be garbage faster than it is collected. */
export class SpareMemory {
  readonly #spares: ArrayBuffer[] = []

  /** Adds the memory of chunks that nobody reads any longer. */
  add(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers)
      if (buffer.byteLength === chunkBytes && this.#spares.length < mostSpares) this.#spares.push(buffer)
  }

  /** Memory of at least this many bytes. Its content is arbitrary. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const spare = bytes <= chunkBytes && bytes > chunkBytes / 2 ? this.#spares.pop() : undefined
    return spare ? new Uint8Array(spare) : new Uint8Array(bytes)
  }
}
