import type { HabitReport } from '../habits/types.ts'

/** The whole report. Thrown values, which JSON cannot hold, are left out; their messages stay. */
export const jsonReport = (report: HabitReport): string =>
  `${JSON.stringify(report, (key, value: unknown) => (key === 'error' ? undefined : value), 2)}\n`
