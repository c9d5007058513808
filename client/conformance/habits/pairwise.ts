import { coveringArray } from './covering-array.ts'
import { minimalCause } from './minimal-cause.ts'
import { notRun } from './outcome.ts'
import { atOnce, type TriedHabits, type Trials } from './trials.ts'
import { tryEach } from './try-each.ts'
import type { CombinedResult, Habit, HabitResult } from './types.ts'

/**
 * Runs with several neutral variants each, in which every two of them occur together. If a run fails, further runs find the
 * smallest set of its variants that fails, and the others are tried without it. Faults and variants that are not neutral
 * get a run of their own.
 */
export async function tryPairwise(selected: readonly Habit[], trials: Trials): Promise<TriedHabits> {
  const neutral = selected.filter(({ standing, faults }) => standing === 'neutral' && faults.length === 0)
  const results = new Map<string, HabitResult>()
  const combined: CombinedResult[] = []
  /** Sets of ids that fail together. */
  const causes: (readonly string[])[] = []
  let narrowing = Promise.resolve()

  const resultOf = (habits: readonly Habit[]) => trials.attempt(combine(habits))
  const fails = async (habits: readonly Habit[]) => isStopped(await resultOf(habits))

  const add = (result: HabitResult) => {
    if (trials.signal.aborted || results.has(result.id)) return
    results.set(result.id, result)
    trials.report(result)
  }

  const narrow = async (habits: readonly Habit[]) => {
    const cause = await minimalCause(habits, fails)
    const result = await resultOf(cause)
    causes.push(cause.map(({ id }) => id))
    if (trials.signal.aborted) return
    if (cause.length === 1) add(result)
    else if (isStopped(result)) combined.push({ ...result, habits: cause.map(({ id }) => id) })
  }

  await atOnce(rowsOf(neutral), trials, async (row) => {
    for (;;) {
      const left = without(row, causes)
      if (left.length === 0 || trials.signal.aborted) return
      const result = await resultOf(left)
      if (!isStopped(result)) {
        for (const habit of left) add({ ...result, id: habit.id, title: habit.title })
        return
      }
      // one at a time, because rows often fail for the same cause
      const turn = narrowing.then(async () => {
        if (without(left, causes).length === left.length) await narrow(left)
      })
      narrowing = turn
      await turn
    }
  })
  const others = await tryEach(
    selected.filter((habit) => !neutral.includes(habit)),
    trials,
  )
  for (const result of others.results) results.set(result.id, result)
  return { results: selected.map((habit) => results.get(habit.id) ?? notRun(habit)), combined }
}

const isStopped = ({ stoppedBy }: HabitResult): boolean => stoppedBy !== undefined

/** Rows of habits, at most one for each open point. */
function rowsOf(habits: readonly Habit[]): Habit[][] {
  const points = new Map<string, Habit[]>()
  for (const habit of habits) {
    const [point] = Object.keys(habit.variants)
    points.set(point!, [...(points.get(point!) ?? []), habit])
  }
  const values = [...points.values()]
  // the first value of each point is its default
  return coveringArray(values.map(({ length }) => length + 1)).map((row) =>
    row.flatMap((value, point) => (value === 0 ? [] : [values[point]![value - 1]!])),
  )
}

/** The habits without one of each known cause. */
const without = (habits: readonly Habit[], causes: readonly (readonly string[])[]): Habit[] =>
  causes.reduce<Habit[]>(
    (left, cause) =>
      cause.every((id) => left.some((habit) => habit.id === id))
        ? left.filter(({ id }) => id !== cause[0])
        : left,
    [...habits],
  )

function combine(habits: readonly Habit[]): Habit {
  if (habits.length === 1) return habits[0]!
  return {
    id: habits.map(({ id }) => id).join(' + '),
    title: 'Together.',
    standing: 'neutral',
    variants: Object.assign({}, ...habits.map(({ variants }) => variants)) as Record<string, string>,
    faults: [],
  }
}
