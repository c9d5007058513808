import { afterAll, describe, expect, test, vi } from 'vitest'
import { type HabitOptions, runHabits } from './run.ts'
import { inThisProcess } from './test-runner.ts'
import type { HabitResult, HabitTarget, RunTests } from './types.ts'

// One engine for all runs, which change no rows, saves half a second for each.
const shared = vi.hoisted(() => ({ close: async () => {} }))
vi.mock('../../../mock/node/pglite/index.ts', async (original) => {
  const { createNodeEngine } = await original<typeof import('../../../mock/node/pglite/index.ts')>()
  const engine = await createNodeEngine({ scale: 0.01, workers: 2 })
  shared.close = engine.close
  return { createNodeEngine: async () => ({ ...engine, close: async () => {} }) }
})
afterAll(() => shared.close())

const SQL = 'SELECT id, name FROM v_formulas LIMIT 3'

const send = (
  { baseUrl, token, fetch }: HabitTarget,
  statement = SQL,
  headers: Record<string, string> = {},
) =>
  fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statement }),
  })

/** A client that expects an object with a name. */
async function readNames(target: HabitTarget): Promise<void> {
  const { data } = (await (await send(target)).json()) as { data: { name?: string }[] }
  if (typeof data[0]!.name !== 'string') throw new Error('no name')
}

const few: HabitOptions = {
  only: ['rows.shape', 'http.success', 'auth.missing', 'rows.case=upper', 'fault.504'],
  concurrency: 2,
}
const outcomes = (results: readonly HabitResult[]) =>
  Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]))

/** A client that declares another type than JSON. */
const careless: RunTests = inThisProcess(async (target) => {
  await send(target, SQL, { 'content-type': 'text/plain' })
})

const failing: RunTests = async () => ({ message: 'wrong', output: 'line 7' })

const silent: RunTests = async () => undefined

const hanging = inThisProcess(async (target) => {
  await send(target)
  if (target.habit) await new Promise(() => {})
})

describe('runHabits', () => {
  test('tells which habits stop a client, which it survives, and which its tests do not meet', async () => {
    const report = await runHabits(inThisProcess(readNames), few)
    expect(outcomes(report.results)).toEqual({
      'rows.shape=array-with-columns': 'stopped',
      'rows.shape=array': 'stopped',
      'rows.shape=wrapped': 'stopped',
      'rows.shape=prefixed': 'stopped',
      'rows.case=upper': 'stopped',
      'http.success=201': 'survived',
      'http.success=202': 'survived',
      'http.success=207': 'survived',
      'auth.missing=403': 'not met',
      'auth.missing=400': 'not met',
      'auth.missing=302-login': 'not met',
      'auth.missing=200-envelope': 'not met',
      'fault.504': 'stopped',
    })
    expect(report).toMatchObject({
      verdict: 'stopped',
      contract: 'v1',
      runs: 1 + 2 + 13 + 6,
      notes: [],
    })
    expect(report.plain.requests).toBe(1)
    expect(report.results.find(({ id }) => id === 'rows.shape=array')).toMatchObject({
      stoppedBy: 'tests',
      failure: { message: 'no name' },
      request: { statement: SQL, answer: 'HTTP 200' },
    })
  })

  test('repeats tests that fail, and names a habit with which they fail only once', async () => {
    let left = 1
    const run = inThisProcess(async (target) => {
      await send(target)
      if (target.habit?.id === 'http.success=202' && left-- > 0) throw new Error('by chance')
    })
    const { verdict, runs, notes } = await runHabits(run, {
      only: ['http.success=201', 'http.success=202'],
      concurrency: 1,
    })
    expect([verdict, runs]).toEqual(['passed', 1 + 2 + 1])
    expect(notes).toEqual([expect.stringContaining('failed once with http.success=202 and passed')])
  })

  test('passes if only habits stop the client that it need not cope with', async () => {
    const report = await runHabits(inThisProcess(readNames), { only: ['rows.case=upper', 'fault.504'] })
    expect([report.verdict, report.results.map(({ outcome }) => outcome)]).toEqual([
      'passed',
      ['stopped', 'stopped'],
    ])
  })

  test('gives the same results over sockets', async () => {
    const urls = new Set<string>()
    const run = inThisProcess(async (target) => {
      urls.add(target.baseUrl)
      await readNames(target)
    })
    const report = await runHabits(run, few, true)
    expect(outcomes(report.results)).toEqual(
      outcomes((await runHabits(inThisProcess(readNames), few)).results),
    )
    expect(urls.size).toBe(report.runs)
    expect([...urls].every((url) => url.startsWith('http://127.0.0.1:'))).toBe(true)
  })

  test('waives what the baseline accepts, and names waivers that are not needed or expired', async () => {
    const waivers = {
      'rows.shape=array': { reason: 'our vendors send objects' },
      'rows.shape=wrapped': { reason: 'old', expires: '2020-01-01' },
      'http.success=201': { reason: 'was broken once' },
    }
    const only = ['rows.shape=array', 'rows.shape=wrapped', 'http.success=201']
    const report = await runHabits(inThisProcess(readNames), { only, waivers })
    expect(outcomes(report.results)).toEqual({
      'rows.shape=array': 'waived',
      'rows.shape=wrapped': 'stopped',
      'http.success=201': 'survived',
    })
    expect(report.notes).toEqual([
      'The waiver of rows.shape=wrapped expired on 2020-01-01.',
      'http.success=201 no longer stops the client: remove its entry from the baseline.',
    ])
  })

  test('fails for a must requirement that the client breaks without any habit, unless it is waived', async () => {
    const options = { only: ['http.success=201'], variants: { 'http.content-type': 'ignored' } } as const
    expect((await runHabits(careless, options)).verdict).toBe('stopped')
    const waivers = { 'REQ-HTTP-2': { reason: 'known' } }
    expect((await runHabits(careless, { ...options, waivers })).verdict).toBe('passed')
  })
})

/** Two tests send one statement; the first one may repeat it after a 504. */
const findingsOf = async (repeats: boolean) => {
  const run = inThisProcess(async (target) => {
    const first = await send(target)
    if (first.status === 504 && repeats) await send(target)
    await send(target)
  })
  const { results } = await runHabits(run, { only: ['fault.504'], concurrency: 1 })
  return results[0]!.findings.map(({ requirement }) => requirement)
}

test('a statement that several tests send is no repetition after a 504, but a further one is', async () => {
  expect(await findingsOf(false)).toEqual([])
  expect(await findingsOf(true)).toEqual(['REQ-TIME-4'])
})

describe('bad input', () => {
  test('tests that fail without any habit end the run with their output', async () => {
    await expect(runHabits(failing, few)).rejects.toThrow(/fail without any habit.*wrong\nline 7/s)
  })

  test('tests that never call the server end the run with a remedy', async () => {
    await expect(runHabits(silent, few)).rejects.toThrow(/sent no statement.*BIOPROCESS_SQL_BASE_URL/s)
  })

  test('tests that hang are stopped at the limit', async () => {
    const { results } = await runHabits(hanging, { only: ['http.success=201'], timeoutMs: 2000 })
    expect(results[0]).toMatchObject({
      outcome: 'stopped',
      stoppedBy: 'time limit',
      failure: { message: 'The tests did not end within 2 s.' },
    })
    await expect(
      runHabits(
        inThisProcess(() => new Promise(() => {})),
        { ...few, timeoutMs: 300 },
      ),
    ).rejects.toThrow(/did not end within 0.3 s/)
  })

  test('tests that pass only alone run one after the other', async () => {
    let running = 0
    let most = 0
    const alone = inThisProcess(async (target) => {
      running++
      try {
        if (target.habit) most = Math.max(most, running)
        await send(target)
        await new Promise((resolve) => setTimeout(resolve, 30))
        if (running > 1) throw new Error('the port is in use')
      } finally {
        running--
      }
    })
    const report = await runHabits(alone, { only: ['http.success'], concurrency: 3 })
    expect([report.verdict, most]).toEqual(['passed', 1])
    expect(report.notes.join()).toMatch(/fail if they run several times at once/)
  })

  test('tests that send nothing with a habit are stopped, since they show nothing', async () => {
    const cached = inThisProcess(async (target) => {
      if (!target.habit) await send(target)
    })
    const { verdict, results } = await runHabits(cached, { only: ['http.success=201'], concurrency: 1 })
    expect(verdict).toBe('stopped')
    expect(results[0]!.failure!.message).toMatch(/sent no statement.*cache of results/)
  })

  test('a run in which no habit is met is incomplete, and a note names the remedy', async () => {
    const { verdict, notes } = await runHabits(inThisProcess(readNames), { only: ['auth.missing=403'] })
    expect(verdict).toBe('incomplete')
    expect(notes.join()).toContain('No habit was met: ')
  })

  test('tests that cannot be run end those beside them', async () => {
    let started = 0
    const ended: boolean[] = []
    const broken: RunTests = async ({ habit, signal, ...target }) => {
      await send({ ...target, signal })
      if (!habit) return undefined
      if (++started === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      else throw new Error('cannot start')
      ended.push(signal.aborted)
      return undefined
    }
    await expect(runHabits(broken, { only: ['http.success'], concurrency: 2 })).rejects.toThrow(
      'cannot start',
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([started, ended]).toEqual([2, [true]])
  })

  test('a run that is aborted before its first tests begin ends them at once', async () => {
    const reason = new Error('Ctrl-C')
    const endless = inThisProcess(() => new Promise(() => {}))
    const run = runHabits(endless, { ...few, signal: AbortSignal.abort(reason) })
    await expect(run).rejects.toThrow('Ctrl-C')
  })

  test('a run that is aborted is incomplete', async () => {
    const ending = new AbortController()
    const report = await runHabits(inThisProcess(readNames), {
      only: ['http.success', 'auth.missing'],
      concurrency: 1,
      signal: ending.signal,
      onResult: () => ending.abort(),
    })
    expect(report.verdict).toBe('incomplete')
    expect(report.results.map(({ outcome }) => outcome).filter((one) => one !== 'not run')).toHaveLength(1)
  })

  test.each([
    [{ only: ['rows.shap'] }, /No habit matches "rows.shap".*--list/],
    [{ only: ['rows.shape'], skip: ['rows.*'] }, /exclude every habit/],
  ])('%j is rejected', async (options, message) => {
    await expect(runHabits(inThisProcess(readNames), options)).rejects.toThrow(message)
  })
})
