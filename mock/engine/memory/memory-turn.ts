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
