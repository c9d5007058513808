import type { MemoryTurn } from './memory-turn.ts'

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The types of WebAssembly are in the DOM library of TypeScript, which is not used here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => Memory }
}

/** The size of a page of WebAssembly memory, and the size that PGlite begins with, in bytes. */
const [page, initialBytes] = [65_536, 128 << 20]

/** Memory above the first size needs a turn, and the session is replaced afterwards. It cannot grow above the second. */
export const [usualBytes, maxBytes] = [128 << 20, 512 << 20]

/** The memory of one database. Above its limit, statements fail with "out of memory". */
export function databaseMemory(turn?: MemoryTurn): object {
  const memory = new WebAssembly.Memory({ initial: initialBytes / page, maximum: maxBytes / page })
  const { grow } = memory
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * page > usualBytes) turn?.keep()
    return grow.call(memory, pages)
  }
  return memory
}
