import { notRun } from './outcome.ts'
import type { Habit, HabitResult } from './types.ts'

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

/** Runs the tests once for each habit. @returns the results in the order of the habits */
export async function tryEach(selected: readonly Habit[], trials: Trials): Promise<HabitResult[]> {
  const results = new Map<string, HabitResult>()
  await atOnce(selected, trials, async (habit) => {
    const result = await trials.attempt(habit)
    if (trials.signal.aborted) return
    results.set(habit.id, result)
    trials.report(result)
  })
  return selected.map((habit) => results.get(habit.id) ?? notRun(habit))
}

/** Calls `work` for every item, at most `count` at once, in the order of the items, until the signal aborts. */
async function atOnce<T>(
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
