import type { CombinedResult, Habit, HabitResult } from './types.ts'

/** How the habits of one run are tried. */
export interface Trials {
  /** Runs the tests with a habit, again if they fail. */
  attempt(habit: Habit): Promise<HabitResult>
  /** How many runs take place at once. */
  readonly concurrency: number
  /** After it aborts, no run begins, and a run that was under way shows nothing. */
  readonly signal: AbortSignal
  report(result: HabitResult): void
}

/** The results in the order of the habits. */
export interface TriedHabits {
  readonly results: readonly HabitResult[]
  /** Results of several habits that stop the client only together. */
  readonly combined: readonly CombinedResult[]
}

/** Calls `work` for every item, at most `count` at once, in the order of the items, until the signal aborts. */
export async function atOnce<T>(
  items: readonly T[],
  { concurrency, signal }: Pick<Trials, 'concurrency' | 'signal'>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const worker = async () => {
    for (const item of left) if (!signal.aborted) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}
