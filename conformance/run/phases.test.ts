import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { check, inconclusive, type Check, type Finding, type Phase } from '../checks/check.ts'
import { handmade, refuse, rowsReply } from '../connection/handmade.test-helper.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { attempt } from '../samples/time-limit.ts'
import { runChecks } from './phases.ts'
import { Secrets } from '../connection/redaction/secrets.ts'
import type { Target } from '../connection/target.ts'

const options = { concurrency: 2, probes: [], secrets: new Secrets(), disclosure: 'hashed' } as const
const changed = inconclusive('rows of v_formulas changed', { concurrentChange: true })
const failed: Finding = { outcome: 'fail', message: 'no', expected: '1 row', actual: '2 rows' }
const passed: Finding = { outcome: 'pass', message: '2 rows: as expected' }

const checkWith = (id: string, rest: Pick<Check, 'run' | 'phase'>) =>
  check({ id, requirement: 'REQ-SQL-3', title: 'do it', killedBy: [], ...rest })

/** Runs a check with one of the findings in each attempt. Returns its result and the target of each attempt. */
async function attempts(...findings: Finding[]) {
  const targets: Target[] = []
  const run = async (t: Target) => findings[targets.push(t) - 1]!
  const { results } = await runChecks([checkWith('a.check', { run })], handmade({}), options)
  return { result: results[0]!, targets }
}

test.each([
  [[passed], '2 rows: as expected'],
  [[changed, passed], '2 rows: as expected (retry 1; first attempt: rows of v_formulas changed)'],
  [[changed, changed, passed], '2 rows: as expected (retry 2; first attempt: rows of v_formulas changed)'],
])('retries a check after concurrent changes, case %#', async (findings, message) => {
  const { result, targets } = await attempts(...findings)
  expect(result).toMatchObject({ outcome: 'pass', message })
  expect(targets).toHaveLength(findings.length)
  expect(new Set(targets).size).toBe(targets.length)
})

test('a result contains the sentence of its requirement, its anchor and its place in the contract', async () => {
  const { result } = await attempts(passed)
  expect(result).toMatchObject({
    sentence: 'A server MUST return n rows for LIMIT n, or all rows if there are fewer.',
    anchor: 'docs/contract.md#req-sql-3',
    clause: 'Endpoints > Execute a statement, rule 2',
  })
})

test.each<[string, Finding['outcome'] | undefined, Finding['outcome']]>([
  ['is repeated at the end of the run', 'pass', 'pass'],
  ['stays inconclusive if the reply is lost again', undefined, 'inconclusive'],
  ['counts as it is when none is lost', 'observed', 'observed'],
])('a check whose reply was lost %s', async (_, outcome, expected) => {
  let isLost = true
  const target = handmade({ answer: () => (isLost ? refuse(503) : undefined) })
  const events: string[] = []
  const losing = checkWith('a.losing', {
    run: async (t) => {
      events.push('losing')
      if (!isLost && outcome) return { outcome, message: 'nothing' }
      await t.query('SELECT id FROM v_formulas')
      return passed
    },
  })
  const later = checkWith('a.later', {
    phase: 'exclusive',
    run: async () => {
      events.push('later')
      isLost = outcome === undefined
      return passed
    },
  })
  const { results } = await runChecks([losing, later], target, options)
  expect(results.map((one) => one.outcome)).toEqual([expected, 'pass'])
  expect(events).toEqual(['losing', 'later', 'losing'])
})

test('a failure shows the ruling on its requirement', async () => {
  const disputed = {
    ...checkWith('a.check', { run: async () => failed }),
    requirement: 'REQ-ERR-6',
  }
  const { results } = await runChecks([disputed], handmade({}), options)
  expect(results[0]!.ruling).toMatch(/No dialect of SQL can execute an unknown function/)
})

test('a check that concurrent changes disturb is inconclusive after six retries', async () => {
  const { result, targets } = await attempts(...Array.from({ length: 7 }, () => changed), passed)
  expect(result.outcome).toBe('inconclusive')
  expect(targets).toHaveLength(7)
})

test('a check that fails only once after a concurrent change is inconclusive', async () => {
  const { result } = await attempts(changed, failed, failed, passed)
  expect(result).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringMatching(/does not fail each time/),
  })
})

test('a failure that rests on a reply with HTTP 429 is inconclusive', async () => {
  const target = handmade({ answer: () => refuse(429, 'too many requests') })
  const exchange = await attempt(target, 'SELECT id FROM v_formulas', {})
  const refused = checkWith('a.check', { run: async () => ({ ...failed, exchanges: [exchange] }) })
  const { results } = await runChecks([refused], target, options)
  expect(results[0]).toMatchObject({
    outcome: 'inconclusive',
    message: 'the target limited the requests with HTTP 429 (no)',
  })
})

test.each([
  ['after the limit fails', 30, 'fail'],
  ['before the limit is inconclusive', 30_000, 'inconclusive'],
])('a failure that rests on a 504 %s, whatever its body says', async (_, timeLimitMs, outcome) => {
  const late = refuse(504, 'Timeout exceeded: elapsed 45 s, maximum: 30')
  const target = handmade({ timeLimitMs, answer: () => sleep(50, late) as unknown as Response })
  const exchange = await attempt(target, 'SELECT id FROM v_formulas', {})
  const judging = checkWith('time.limit', {
    run: async () => ({ ...failed, exchanges: [exchange] }),
    phase: 'limit',
  })
  const { results } = await runChecks([judging], target, options)
  expect(results[0]!.outcome).toBe(outcome)
})

test.each([
  ['sql.select-named', 'inconclusive'],
  ['sql.values-at-rest', 'fail'],
])('a difference that %s finds in a target with a stale cache is %s', async (id, outcome) => {
  let asked = 0
  const target = handmade({
    answer: () => {
      const time = new Date(Date.now() + (asked++ === 0 ? 60_000 : 0)).toISOString()
      return rowsReply([{ id: 'a', name: 'a', last_updated_at: time }])
    },
  })
  const exchanges: Exchange[] = []
  for (let n = 0; n < 2; n++) {
    exchanges.push((await target.query('SELECT * FROM v_formulas LIMIT 200')).exchange)
    await sleep(2)
  }
  const compares = checkWith(id, { run: async () => ({ ...failed, exchanges }), phase: 'answers' })
  const { results } = await runChecks([compares], target, options)
  expect(results[0]!.outcome).toBe(outcome)
})

test('does not retry a check that is inconclusive for another reason', async () => {
  const { targets } = await attempts(inconclusive('no complete answer'), passed)
  expect(targets).toHaveLength(1)
})

test('a failed check that passes when it is repeated still fails, and a note names the variation', async () => {
  const { result, targets } = await attempts(failed, passed, failed, passed)
  expect(result.outcome).toBe('fail')
  expect(result.notes).toEqual(['The check passed 2 of 3 times when it was repeated, so the answers vary.'])
  expect(targets).toHaveLength(4)
})

test('a failure that rests on several answers has a curl command for each', async () => {
  const target = handmade({})
  const exchanges = [
    (await target.query('SELECT id FROM v_quantities LIMIT 1')).exchange,
    (await target.query('SELECT * FROM v_quantities')).exchange,
  ]
  const { result } = await attempts({ ...failed, exchanges }, failed)
  expect(result.curls).toEqual([
    expect.stringContaining('SELECT id FROM v_quantities'),
    expect.stringContaining('SELECT * FROM v_quantities'),
  ])
  expect(result.curl).toBe(result.curls!.at(-1))
})

test('a note says that answers may be mixed up if the check passes whenever it is repeated after the others', async () => {
  const { result } = await attempts(failed, passed, passed, passed)
  expect(result).toMatchObject({
    outcome: 'fail',
    notes: [expect.stringContaining('mixed up under concurrency')],
  })
})

test('a check that fails twice has no note on variation', async () => {
  const { result } = await attempts(failed, failed)
  expect(result).toMatchObject({ outcome: 'fail', message: 'no' })
  expect(result.notes).toBeUndefined()
})

/** Like {@link attempts} on a target whose answers show other times of an update, which is `msAgo` at first. */
async function attemptsWhileMoving(msAgo: number, ...findings: Finding[]) {
  let time = Date.now() - msAgo
  const target = handmade({
    answer: ({ sql }) =>
      sql.includes('v_formulas')
        ? rowsReply([{ id: 'a', last_updated_at: new Date((time += 1000)).toISOString() }])
        : undefined,
  })
  for (const _ of [1, 2]) await target.query('SELECT id, last_updated_at FROM v_formulas LIMIT 200')
  let calls = 0
  const run = async () => findings[Math.min(calls++, findings.length - 1)]!
  const { results } = await runChecks([checkWith('a.check', { run })], target, options)
  return { result: results[0]!, calls }
}

test.each([
  ['the data change', 0],
  ['answers differ', 86_400_000],
])('a check that fails once while %s is inconclusive, and its message says so', async (what, msAgo) => {
  const { result } = await attemptsWhileMoving(msAgo, failed, failed, failed, passed)
  expect(result).toMatchObject({
    outcome: 'inconclusive',
    message: `${what}, and the check does not fail each time (no)`,
  })
})

test('a check that fails seven times while the data change fails', async () => {
  const { result, calls } = await attemptsWhileMoving(0, failed)
  expect(result).toMatchObject({ outcome: 'fail', message: 'no' })
  expect(calls).toBe(7)
})

/** Runs two checks of every phase and returns the order of starts and ends. */
async function order(target: Target, parallelMs = 20) {
  const events: string[] = []
  const checks = (['last', 'exclusive', 'afterLimit', 'limit', 'parallel'] as Phase[]).flatMap((phase) =>
    [1, 2].map((n) =>
      checkWith(`${phase}.${n}`, {
        phase,
        run: async () => {
          events.push(`${phase} starts`)
          await new Promise((resolve) => setTimeout(resolve, phase === 'parallel' ? parallelMs : 5))
          events.push(`${phase} ends`)
          return passed
        },
      }),
    ),
  )
  const { results } = await runChecks(checks, target, options)
  expect(results.map(({ id }) => id)).toEqual(checks.map(({ id }) => id))
  return events
}

const oneByOne = (phase: Phase) => [`${phase} starts`, `${phase} ends`, `${phase} starts`, `${phase} ends`]
const together = (phase: Phase) => [`${phase} starts`, `${phase} starts`, `${phase} ends`, `${phase} ends`]

test('runs the phases one after the other on a target without a sleep function', async () => {
  expect(await order(handmade({}))).toEqual([
    ...together('parallel'),
    ...oneByOne('limit'),
    ...together('afterLimit'),
    ...oneByOne('exclusive'),
    ...oneByOne('last'),
  ])
})

test.each([
  ['alongside the parallel checks on a target that serves other statements during a sleep', false],
  ['after the limit checks on a target that serves one statement at a time', true],
])('runs the afterLimit checks %s', async (_, oneAtATime) => {
  const target = handmade({ timeLimitMs: 600 })
  let queue = Promise.resolve()
  target.client.options.fetch = async (_, init) => {
    const [, seconds = '0'] = /sleep\(([\d.]+)\)/.exec(String(init?.body)) ?? []
    const slept = (oneAtATime ? queue : Promise.resolve()).then(
      () => new Promise<void>((resolve) => setTimeout(resolve, Number(seconds) * 1000)),
    )
    queue = slept
    await slept
    return rowsReply([])
  }
  const events = await order(target, 600)
  const first = events.indexOf('afterLimit starts')
  if (oneAtATime) expect(first).toBeGreaterThan(events.lastIndexOf('limit ends'))
  else expect(first).toBeLessThan(events.indexOf('parallel ends'))
  expect(events.indexOf('exclusive starts')).toBeGreaterThan(events.lastIndexOf('afterLimit ends'))
  expect(events.indexOf('exclusive starts')).toBeGreaterThan(events.lastIndexOf('limit ends'))
})

test('prepares checks while those of the limit run, and ignores errors of the preparation', async () => {
  const events: string[] = []
  const noting = (phase: Phase, takesMs: number): Check => ({
    ...checkWith(`a.${phase}`, {
      phase,
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, takesMs))
        events.push(phase)
        return passed
      },
    }),
    *prepare() {
      events.push(`prepare ${phase}`)
      yield
      events.push('more')
      throw new Error('not now')
    },
  })
  const checks = [noting('answers', 0), noting('parallel', 0)]
  await runChecks(checks, handmade({}), options)
  expect(events.splice(0)).not.toContain('more')
  const { results } = await runChecks([...checks, noting('limit', 50)], handmade({}), options)
  expect(events).toEqual([
    'parallel',
    'prepare answers',
    'more',
    'prepare parallel',
    'more',
    'prepare limit',
    'more',
    'limit',
    'answers',
  ])
  expect(results.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass'])
})

test('a result shows only the start of a text, a name or a value of any length', async () => {
  const long = 'x'.repeat(1_000_000)
  const { result } = await attempts({
    outcome: 'fail',
    message: long,
    expected: long,
    actual: long,
    notes: [long],
  })
  for (const text of [result.message, result.expected, result.actual, result.notes?.[0]])
    expect(text).toBe(`${'x'.repeat(10_000)}…`)
})

async function refusedStatementFails(t: Target): Promise<Finding> {
  await t.origin.baseline()
  const { ok, exchange } = await t.query('SELECT id FROM v_formulas LIMIT 1')
  return ok ? passed : { ...failed, exchanges: [exchange] }
}

/** A check that fails if a statement is refused, against a target that refuses some of its requests. */
async function refusedIn(isRefused: (request: number) => boolean) {
  let requests = 0
  const target = handmade({
    rows: { v_bioprocesses: [{ id: 'a' }] },
    answer: () => (isRefused(++requests) ? refuse(502, 'fetch failed') : undefined),
  })
  const own = checkWith('a.check', { run: refusedStatementFails })
  const { results } = await runChecks([own], target, options)
  return results[0]!
}

test('a refused statement fails a check only if the target still serves a plain statement', async () => {
  expect(await refusedIn((request) => request > 1)).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringMatching(/^the target stopped serving a plain statement: it got HTTP 502, /),
  })
  expect(await refusedIn((request) => request % 2 === 0)).toMatchObject({ outcome: 'fail' })
})

test('a statement that was refused once is noted', async () => {
  expect(await refusedIn((request) => request === 2)).toMatchObject({
    outcome: 'pass',
    notes: ['The first attempt failed, which a repetition did not show: no.'],
  })
})
