import type { HabitReport, HabitResult } from '../habits/types.ts'

/** One row of the picture: an open point, or the faults, with a cell for each habit. */
export interface MatrixRow {
  readonly name: string
  readonly cells: readonly HabitResult[]
}

/** The results by open point, in their order. */
export function matrixOf({ results }: HabitReport): MatrixRow[] {
  const rows = new Map<string, HabitResult[]>()
  for (const result of results) {
    const name = result.id.startsWith('fault.') ? 'faults' : result.id.split('=')[0]!
    rows.set(name, [...(rows.get(name) ?? []), result])
  }
  return [...rows].map(([name, cells]) => ({ name, cells }))
}
