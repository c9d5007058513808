import { answerTimes, type AnswerTimes, instantOf } from './answer-times.ts'
import type { StatementRequest } from './statement-request.ts'
import { changesRead, type ChangesRead } from './statement-text.ts'

/** A read of changes that begins after a time, and what was read of the same view before it. */
export interface Continuation {
  readonly read: ChangesRead
  /** The lower bound, in nanoseconds since 1970. */
  readonly bound: bigint
  /** The newest time of all complete answers before; undefined if there were none with rows. */
  readonly newest?: bigint
  /** The last answer before, if it was complete. */
  readonly last?: AnswerTimes & { readonly number: number; readonly upper?: bigint }
  /** An earlier answer with missing rows that no complete read has covered since. */
  readonly cut?: AnswerTimes & { readonly number: number; readonly bound?: bigint }
  readonly number: number
}

interface LoadState {
  newest?: bigint
  last?: Continuation['last']
  cut?: Continuation['cut']
  endedMs: number
}

/** Follows the loads of changes of each view. */
export class DeltaReads {
  /** By view and filter. */
  readonly #loads = new Map<string, LoadState>()

  /** Takes the next request. Returns what it continues; undefined if it continues nothing. */
  take({ exchange, number, statement }: StatementRequest): Continuation | undefined {
    const read = statement === undefined ? undefined : changesRead(statement)
    if (read === undefined) return undefined
    const load = `${read.view} ${read.filter}`
    const state = this.#loads.get(load) ?? { endedMs: -Infinity }
    this.#loads.set(load, state)
    const bound = read.bound === undefined ? undefined : instantOf(read.bound)
    const { newest, last, cut } = state
    // a read that began before the end of the last one cannot have used its rows
    const continues = bound !== undefined && exchange.startedMs >= state.endedMs
    const continuation: Continuation | undefined = continues
      ? {
          read,
          bound,
          number,
          ...(newest !== undefined && { newest }),
          ...(last && { last }),
          ...(cut && { cut }),
        }
      : undefined
    const times = answerTimes(exchange, read)
    if (times) this.#update(state, times, read, number)
    if (times) state.endedMs = exchange.endedMs
    return continuation
  }

  #update(state: LoadState, times: AnswerTimes, read: ChangesRead, number: number): void {
    const bound = read.bound === undefined ? undefined : instantOf(read.bound)
    const upper = read.upper === undefined ? undefined : instantOf(read.upper)
    if (times.cut) {
      state.cut ??= { ...times, number, ...(bound !== undefined && { bound }) }
      return
    }
    const { cut } = state
    const covers = cut && (bound === undefined || (cut.bound !== undefined && bound <= cut.bound))
    if (covers && (upper === undefined || cut.newest === undefined || upper >= cut.newest)) delete state.cut
    state.last = { ...times, number, ...(upper !== undefined && { upper }) }
    if (times.newest !== undefined && (state.newest === undefined || times.newest > state.newest))
      state.newest = times.newest
  }
}
