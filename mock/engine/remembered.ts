import type { StatementEngine, StatementResult } from './engine.ts'

/** Bytes of rows that are remembered, over all statements, and of one of them. */
const [mostBytes, mostOfOne] = [16 << 20, 1 << 20]

/**
 * What may come out otherwise the next time: clocks, chance, sleep, and what is written with escapes and may be any of
 * them. A word too many costs nothing but time.
 */
const changing =
  /now|today|tomorrow|yesterday|current_|localtime|timeofday|clock|(statement|transaction)_timestamp|age\s*\(|random|uuid|sample|shuffle|sleep|\\/i

interface Remembered extends StatementResult {
  readonly chunks: readonly Uint8Array[]
  readonly bytes: number
}

/**
 * An engine that answers a statement it has answered before from memory: over data that never change, the same rows
 * come again, and tests ask the same few things over and over. Errors, results that are streamed and statements
 * that read a clock run each time.
 */
export function remembering(engine: StatementEngine): StatementEngine {
  /** The least recently asked first. */
  const known = new Map<string, Remembered>()
  let held = 0

  const keep = (key: string, result: Remembered): void => {
    known.set(key, result)
    held += result.bytes
    for (const [oldest, { bytes }] of known) {
      if (held <= mostBytes) return
      known.delete(oldest)
      held -= bytes
    }
  }

  return {
    async execute(statement, options) {
      const { signal, ...asked } = options
      signal.throwIfAborted()
      if (changing.test(statement) || asked.format?.order === 'random')
        return engine.execute(statement, options)
      const key = `${statement}\0${JSON.stringify(asked)}`
      const before = known.get(key)
      if (before) {
        known.delete(key)
        known.set(key, before)
        return before
      }
      const result = await engine.execute(statement, options)
      const { columns, chunks } = result
      if (Symbol.asyncIterator in chunks) return result
      const bytes = chunks.reduce((sum, { length }) => sum + length, key.length * 2)
      // two that asked at once both come here
      if (bytes <= mostOfOne && !known.has(key)) keep(key, { columns, chunks, bytes })
      return result
    },
    close: () => engine.close(),
  }
}
