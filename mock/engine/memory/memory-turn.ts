/** The holder while no thread has the turn, and the index of the holder in the shared memory. */
const [nobody, holderAt] = [0, 0]

/**
 * Lets one engine at a time use much memory. The others wait in the middle of their statements, which still end at their time limit.
 * A thread whose memory grew keeps its turn until it ends, because the memory of an engine never shrinks.
 */
export class MemoryTurn {
  readonly #holder: Int32Array
  readonly #id: number
  #isKept = false

  /** @param shared memory of all threads, see {@link sharedTurn} @param id of this thread: any number but 0 */
  constructor(shared: SharedArrayBuffer, id: number) {
    this.#holder = new Int32Array(shared)
    this.#id = id
  }

  /** Blocks the thread until it has the turn. */
  take(): void {
    for (;;) {
      const holder = Atomics.compareExchange(this.#holder, holderAt, nobody, this.#id)
      if (holder === nobody || holder === this.#id) return
      Atomics.wait(this.#holder, holderAt, holder)
    }
  }

  /** Takes the turn until the thread ends. */
  keep(): void {
    this.take()
    this.#isKept = true
  }

  /** Gives the turn to the next thread, if the thread has it and need not keep it. */
  release(): void {
    if (this.#isKept) return
    if (Atomics.compareExchange(this.#holder, holderAt, this.#id, nobody) === this.#id)
      Atomics.notify(this.#holder, holderAt, 1)
  }
}

/** What the turns of all threads of a pool share. */
export const sharedTurn = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)

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
