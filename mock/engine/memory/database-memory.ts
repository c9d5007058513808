/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object }
}

/** The size of a page of WebAssembly memory, and the size that PGlite begins with, in bytes. */
const [page, initialBytes] = [65_536, 128 << 20]

/** A session whose memory grew above the first size is replaced. It cannot grow above the second. */
export const [usualBytes, maxBytes] = [128 << 20, 512 << 20]

/** The memory of one database. Above its limit, statements fail with "out of memory". */
export const databaseMemory = (): object =>
  new WebAssembly.Memory({ initial: initialBytes / page, maximum: maxBytes / page })
