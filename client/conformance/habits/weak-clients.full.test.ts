import { describe, expect, test } from 'vitest'
import { runHabits } from './run.ts'
import { inThisProcess } from './test-runner.ts'
import type { HabitReport, HabitResult, HabitTarget } from './types.ts'

/** Sends a statement as a careless program does. */
const ask = ({ baseUrl, token, fetch }: HabitTarget, statement: string) =>
  fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })

async function rowsOf<Row>(target: HabitTarget, statement: string): Promise<Row[]> {
  const response = await ask(target, statement)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const { data, status } = (await response.json()) as { data: Row[]; status: { state: string } }
  if (status.state !== 'success') throw new Error('the statement failed')
  return data
}

/** The habits of a standing that stop the client, in the order of their names. */
const stopping = ({ results }: HabitReport, ...standings: HabitResult['standing'][]) =>
  results
    .filter(({ outcome, standing }) => outcome === 'stopped' && standings.includes(standing))
    .map(({ id }) => id)
    .toSorted()

/** Every fault that ends a request: no client without a retry gets through. */
const interruptions = [
  'fault.401',
  'fault.429',
  'fault.503',
  'fault.504',
  'fault.reset',
  'fault.reset-body',
  'fault.truncate',
  'fault.truncate-chunked',
  'fault.truncate-complete',
]

describe('a client that reads rows by position', () => {
  test('is stopped by rows whose values move, and by no other habit', async () => {
    const report = await runHabits(
      inThisProcess(async (target) => {
        const rows = await rowsOf<object>(target, 'SELECT id, parent_id, name FROM v_bioprocesses')
        for (const row of rows) {
          const [, , name] = Object.values(row) as unknown[]
          if (typeof name !== 'string')
            throw new Error(`The third value of ${JSON.stringify(row)} is no name.`)
        }
      }),
    )
    expect(stopping(report, 'neutral')).toEqual([
      // the name moves up where there is no parent
      'rows.nulls=omitted',
      // the first and only value is an object
      'rows.shape=wrapped',
    ])
    // arrays, other keys and further columns at the end leave every value at its place
    expect(stopping(report, 'warns', 'departs')).toEqual([])
    expect(stopping(report, 'fault')).toEqual(interruptions)
    const wrapped = report.results.find(({ id }) => id === 'rows.shape=wrapped')!
    expect(wrapped.request).toEqual({
      statement: 'SELECT id, parent_id, name FROM v_bioprocesses',
      answer: 'HTTP 200',
    })
    expect(report.verdict).toBe('stopped')
  })
})

describe('a client that compares timestamps as text', () => {
  test('is stopped by other forms of timestamps and by rows without its column', async () => {
    let cursor = ''
    let expected = 0
    const report = await runHabits(
      inThisProcess(async (target) => {
        const rows = await rowsOf<{ last_updated_at: string }>(
          target,
          'SELECT id, last_updated_at FROM v_bioprocesses',
        )
        if (!target.habit) ({ cursor, expected } = between(rows.map((row) => row.last_updated_at)))
        const newer = rows.filter(({ last_updated_at }) => last_updated_at > cursor)
        if (newer.length !== expected) throw new Error(`${newer.length} rows are newer, not ${expected}.`)
      }),
    )
    expect(stopping(report, 'neutral')).toEqual([
      // a row is an array, or an object in an object, without last_updated_at
      'rows.shape=array',
      'rows.shape=array-with-columns',
      'rows.shape=wrapped',
      // a later hour for the same time
      'timestamps.format=local-offset',
      // the row at the cursor seems newer: Z follows digits, dots and signs
      'timestamps.format=micros-z',
      'timestamps.format=millis-z',
      // further digits in place of a sign
      'timestamps.format=nanos-z',
      'timestamps.format=seconds-z',
    ])
    expect(stopping(report, 'warns', 'departs')).toEqual([
      'rows.case=camel',
      'rows.case=upper',
      'rows.shape=prefixed',
      // no number is greater than a text
      'timestamps.format=epoch-millis',
      // a space comes before T, so rows of the same day seem older
      'timestamps.format=space-separator',
    ])
    expect(stopping(report, 'fault').filter((id) => id.startsWith('fault.'))).toEqual(interruptions)
  })
})

/** A printed time that is followed by a newer one of the same day, and the number of newer ones. */
function between(times: readonly string[]): { cursor: string; expected: number } {
  const newestFirst = times.toSorted().toReversed()
  const at = newestFirst.findIndex(
    (time, n) => n > 0 && time.slice(0, 10) === newestFirst[n - 1]!.slice(0, 10) && !/0\+/.test(time),
  )
  expect(at).toBeGreaterThan(0)
  return { cursor: newestFirst[at]!, expected: at }
}

describe('a client that repeats whatever fails', () => {
  test('is stopped by a 504 alone, although its tests pass', async () => {
    const report = await runHabits(
      inThisProcess(async (target) => {
        for (let attempt = 1; ; attempt++)
          try {
            const data = await rowsOf(target, 'SELECT name FROM v_formulas')
            if (data.length === 0) throw new Error('no rows')
            return
          } catch (error) {
            if (attempt === 3) throw error
          }
      }),
    )
    expect(stopping(report, 'neutral', 'warns', 'departs', 'fault')).toEqual(['fault.504'])
    const stopped = report.results.find(({ id }) => id === 'fault.504')!
    expect(stopped.stoppedBy).toBe('requirement')
    expect(stopped.failure).toBeUndefined()
    expect(stopped.findings).toMatchObject([{ requirement: 'REQ-TIME-4', outcome: 'fail', shownBy: [0, 1] }])
    expect(report.verdict).toBe('stopped')
  })
})
