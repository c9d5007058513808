/** Sizes of the first chunk of a result, so that small answers stay small, and of further ones, in bytes. */
export const [firstChunkBytes, chunkBytes] = [16_384, 262_144]

/** The most chunks of each size that are kept: those of the pages that an engine may send unread, and of the one that is being read. */
const mostSpares = 16

/** Chunks whose readers are done with them, to be written again: a new one for each would be garbage faster than it is collected. */
export class SpareMemory {
  readonly #spares: Readonly<Record<number, ArrayBuffer[]>> = { [firstChunkBytes]: [], [chunkBytes]: [] }

  /** Adds the memory of chunks that nobody reads any longer. */
  add(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      const spares = this.#spares[buffer.byteLength]
      if (spares && spares.length < mostSpares) spares.push(buffer)
    }
  }

  /** Memory of at least this many bytes. Its content is arbitrary. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const spare = this.#spares[bytes]?.pop()
    return spare ? new Uint8Array(spare) : new Uint8Array(bytes)
  }
}
