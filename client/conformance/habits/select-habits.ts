import { findOpenPoint, type SettingId, type VariantOf } from '../../../schemas/open-points.ts'
import { HabitUsageError } from './usage-error.ts'
import { habits } from './habit.ts'
import type { Habit } from './types.ts'

/** The id of a habit or an open point, or any other text that {@link selectHabits} understands. */
export type HabitPattern = { [Id in SettingId]: Id | `${Id}=${VariantOf<Id>}` }[SettingId] | (string & {})

/**
 * Selects habits by the patterns of `--only` and `--skip`: an id, an open point (`rows.shape`), or a prefix of an id that
 * ends in `*`.
 *
 * @throws HabitUsageError if a pattern matches no habit, or none is left
 */
export function selectHabits(only: readonly string[] = [], skip: readonly string[] = []): Habit[] {
  for (const pattern of [...only, ...skip])
    if (!habits.some((habit) => matches(habit, pattern)))
      throw new HabitUsageError(
        `No habit matches "${pattern}". List the ids with: bioprocess-sql exec --habits --list`,
      )
  const selected = habits.filter(
    (habit) =>
      (only.length === 0 || only.some((pattern) => matches(habit, pattern))) &&
      !skip.some((pattern) => matches(habit, pattern)),
  )
  if (selected.length === 0)
    throw new HabitUsageError('--only and --skip exclude every habit. Remove a pattern.')
  return selected
}

const matches = ({ id }: Habit, pattern: string): boolean =>
  pattern.endsWith('*')
    ? id.startsWith(pattern.slice(0, -1))
    : id === habitId(pattern) || id.startsWith(`${habitId(pattern)}=`)

/** The id of a habit, by any name of its open point: `NS-12=array` is `rows.shape=array`. Other names stay as they are. */
export function habitId(name: string): string {
  const [point = '', ...variant] = name.split('=')
  return [findOpenPoint(point)?.id ?? point, ...variant].join('=')
}
