import { afterAll, beforeAll, expect, test } from 'vitest'
import { soak } from '../bench/soak-suite/soak.ts'
import { document } from '../bench/soak-suite/table.ts'
import { problemsOf } from '../bench/soak-suite/tally.ts'
import { soakTargets } from '../bench/soak-suite/targets.ts'
import { mutants } from './mutants/index.ts'
import { live } from './live.ts'
import { createReference, type Reference } from '../mock/index.ts'

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01 })
})
afterAll(() => reference.close())

const target = () => ({ baseUrl: reference.baseUrl, token: reference.token })

test('the suite gives the reference and the minimal vendor the same verdict twice', async () => {
  const runs = { reference: 2, pglite: 2, postgres: 0, writes: 0 }
  const lines: string[] = []
  const result = await soakTargets({
    runs,
    scale: 0.01,
    writesPerSecond: 20,
    say: (line) => lines.push(line),
  })
  expect(result.soaked.map(({ tally }) => [tally.target, [...tally.verdicts]])).toEqual([
    ['reference', [['conformant but for the time checks', 2]]],
    ['minimal vendor, PGlite', [['conformant but for the time checks', 2]]],
  ])
  const problems = result.soaked.flatMap(({ tally, hasWrites }) => problemsOf(tally, hasWrites))
  expect(problems).toEqual([])
  expect(document(result, problems)).toContain('| minimal vendor, PGlite | 2 ')
  expect(lines).toHaveLength(6)
}, 240_000)

test('the soak reports no problem for concurrent changes', async () => {
  const still = await soak('still', 1, target())
  const tally = await soak('moving', 2, { ...target(), fetch: live({ seed: 1 })(reference.fetch) })
  expect(problemsOf(tally, true)).toEqual([])
  // rows that change are read again
  expect(Math.min(...tally.statementsPerRun)).toBeGreaterThan(still.statementsPerRun[0]!)
})

test('the soak reports a false alarm and a verdict that changes', async () => {
  const broken = mutants.find(({ id }) => id === 'limit-plus-one')!.wrap(reference.fetch)
  let now = reference.fetch
  const options = { ...target(), fetch: ((...request) => now(...request)) as typeof fetch }
  const tally = await soak('changing', 2, options, () => (now = broken))
  const problems = [
    expect.stringMatching(/^changing: run 2: sql\.limit fail, LIMIT \d+ of v_quantities/),
    'changing: the verdict differs between runs: conformant but for the time checks 1, non-conformant 1',
  ]
  expect(problemsOf(tally, true)).toEqual(expect.arrayContaining(problems))
  expect(problemsOf(tally, false)).toEqual(
    expect.arrayContaining([...problems, 'changing: sql.limit is pass 1, fail 1']),
  )
})

test('the soak reports that PostgreSQL was skipped', () => {
  const text = document({ soaked: [], skipped: 'PostgreSQL is not installed' }, [])
  expect(text).toContain('**PostgreSQL was skipped**: PostgreSQL is not installed.')
})
