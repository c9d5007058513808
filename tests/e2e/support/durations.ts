import { expect } from 'vitest'

type Row = Readonly<Record<string, unknown>>
/** Runs a statement and returns its rows. */
export type RowsOf = (statement: string) => Promise<readonly unknown[]>

const number = (row: unknown, name: string): number => Number((row as Row | undefined)?.[name])

/**
 * Expects that statements compute with milliseconds as people write them: rounded, divided without loss, filtered by
 * fractions. The plain values are those of `SELECT id, duration_ms`, written as whole numbers.
 */
export async function expectDurations(rowsOf: RowsOf): Promise<void> {
  for (const view of ['v_bioprocesses', 'v_timeseries']) {
    const plain = (await rowsOf(`SELECT id, duration_ms FROM ${view}`)).map((row) =>
      number(row, 'duration_ms'),
    )
    const sum = plain.reduce((total, value) => total + value, 0)
    expect(plain.length).toBeGreaterThan(3)
    expect(plain.every(Number.isInteger)).toBe(true)

    const [rounded] = await rowsOf(`SELECT ROUND(AVG(duration_ms) / 3600000.0, 1) AS hours FROM ${view}`)
    expect(number(rounded, 'hours')).toBe(Number((sum / plain.length / 3_600_000).toFixed(1)))
    const [totals] = await rowsOf(`SELECT SUM(duration_ms) AS sum, AVG(duration_ms) AS mean FROM ${view}`)
    expect(number(totals, 'sum')).toBe(sum)
    expect(number(totals, 'mean')).toBeCloseTo(sum / plain.length, 6)
    const hours = await rowsOf(`SELECT duration_ms AS ms, duration_ms / 3600000 AS hours FROM ${view}`)
    for (const row of hours) expect(number(row, 'hours')).toBeCloseTo(number(row, 'ms') / 3_600_000, 9)
    expect(hours.some((row) => !Number.isInteger(number(row, 'hours')))).toBe(true)
    const [longer] = await rowsOf(`SELECT count(*) AS n FROM ${view} WHERE duration_ms > 1.5`)
    expect(number(longer, 'n')).toBe(plain.filter((value) => value > 1.5).length)
  }
}
