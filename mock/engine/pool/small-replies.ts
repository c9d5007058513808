/** The most statements that are sent to an engine at a time: it begins the next one without waiting for a message. */
export const pipelineDepth = 4

/** Longest rows of a small result in bytes. */
const placeBytes = 16_384

/**
 * Memory through which an engine hands over small results. A transferred buffer for each would cost more, and many of them
 * make V8 collect garbage. Statements in an engine have consecutive numbers and end in their order, so the place of a result
 * is free again when its statement has ended, before the next statement with the same place is sent.
 */
export class SmallReplies {
  readonly shared: SharedArrayBuffer
  readonly #bytes: Uint8Array

  constructor(shared = new SharedArrayBuffer(pipelineDepth * placeBytes)) {
    this.shared = shared
    this.#bytes = new Uint8Array(shared)
  }

  /** Writes the rows of a statement. @returns their length; undefined if they do not fit */
  write(number: number, chunks: readonly Uint8Array[]): number | undefined {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    if (length > placeBytes) return undefined
    let at = placeOf(number)
    for (const chunk of chunks) {
      this.#bytes.set(chunk, at)
      at += chunk.length
    }
    return length
  }

  /** A copy of the rows of a statement; no chunk if there are none. */
  read(number: number, length: number): Uint8Array[] {
    if (length === 0) return []
    const place = placeOf(number)
    const rows = new Uint8Array(length)
    rows.set(this.#bytes.subarray(place, place + length))
    return [rows]
  }
}

const placeOf = (number: number): number => (number % pipelineDepth) * placeBytes
