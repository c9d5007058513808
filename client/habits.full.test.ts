import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { type HabitReport, inThisProcess, runHabits } from './conformance/index.ts'
import { createClient } from './index.ts'
import { useClient } from './use-client.test-helper.ts'

/** Runs the client under every habit. @param knowsProfile whether it is told the variants, as a recorded profile does */
function matrix(knowsProfile: boolean): Promise<HabitReport> {
  let expected: unknown
  return runHabits(
    inThisProcess(async ({ baseUrl, token, fetch, habit }) => {
      const profile = { contract: 'v1', variants: knowsProfile ? { ...habit?.variants } : {} } as const
      const client = createClient({ baseUrl, token, fetch, profile, retries: 3, validate: true })
      const reading = await useClient(client)
      expected ??= reading
      if (!isDeepStrictEqual(reading, expected))
        throw new Error('The client reads other rows than without the habit.')
    }),
  )
}

const stopping = ({ results }: HabitReport) =>
  results
    .filter(({ outcome, standing }) => outcome === 'stopped' && standing === 'neutral')
    .map(({ id, failure }) => `${id}: ${failure?.message}`)

test('the client copes with every neutral habit if it knows the profile, and keeps every requirement', async () => {
  const report = await matrix(true)
  expect(stopping(report)).toEqual([])
  expect(report.verdict).toBe('passed')
  expect(report.plain.findings.filter(({ outcome }) => !['pass', 'not exercised'].includes(outcome))).toEqual(
    [],
  )
  for (const { id, findings } of report.results)
    expect(
      findings.filter(({ outcome }) => outcome === 'fail'),
      id,
    ).toEqual([])
}, 180_000)

test('without a profile, it copes with all habits but those that need other statements', async () => {
  const ids = stopping(await matrix(false)).map((text) => text.split(':')[0])
  expect(ids.toSorted()).toEqual([
    'delta.literal=date-keyword',
    'delta.literal=quoted-date',
    'delta.literal=space-date-time',
    'delta.literal=timestamp-keyword',
    'rows.duplicates=first',
    'rows.shape=array',
    'sql.accept=allow-list',
    'sql.accept=documented',
    'sql.filters=refused',
  ])
})
