import { notRun } from './outcome.ts'
import { atOnce, type TriedHabits, type Trials } from './trials.ts'
import type { Habit, HabitResult } from './types.ts'

/** One run for each habit. */
export async function tryEach(selected: readonly Habit[], trials: Trials): Promise<TriedHabits> {
  const results = new Map<string, HabitResult>()
  await atOnce(selected, trials, async (habit) => {
    const result = await trials.attempt(habit)
    if (trials.signal.aborted) return
    results.set(habit.id, result)
    trials.report(result)
  })
  return { results: selected.map((habit) => results.get(habit.id) ?? notRun(habit)), combined: [] }
}
