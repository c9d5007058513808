import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { habits, type HabitReport, type HabitResult } from '../../client/conformance/index.ts'
import { observed, report, result } from '../../conformance/reports/report.test-helper.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { canDeploy } from './can-deploy.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
  vi.restoreAllMocks()
  process.exitCode = undefined
})

const habit = (id: string, rest: Partial<HabitResult> = {}): HabitResult => ({
  id,
  title: id,
  standing: 'neutral',
  outcome: 'survived',
  findings: [],
  requests: 1,
  durationMs: 1,
  ...rest,
})
const stopped = { outcome: 'stopped', failure: { message: 'Two tests fail.' } } as const

/** The report of a client that has survived every habit but these. */
const client = (changed: HabitResult[], rest: Partial<HabitReport> = {}): HabitReport =>
  only(
    [
      ...habits
        .filter(({ id }) => !changed.some((one) => one.id === id))
        .map(({ id, standing }) => habit(id, { standing })),
      ...changed,
    ],
    rest,
  )

/** The report of a client that was run with these habits alone. */
const only = (results: HabitResult[], rest: Partial<HabitReport> = {}): HabitReport => ({
  verdict: 'passed',
  contract: 'v1',
  startedAt: '2026-01-01T00:00:00Z',
  durationMs: 1,
  runs: 1,
  plain: { durationMs: 1, requests: 1, findings: [] },
  results,
  notes: [],
  ...rest,
})

/** A report of a service with these variants. */
const service = (variants: Record<string, string>, rest: Partial<ConformanceReport> = {}) =>
  report([result('sql.limit', 'REQ-SQL-3')], { observations: observed(variants), ...rest })

/** The lines and the exit code of the command. */
function decide(ofClient: object, ofServices: object[], accepted?: string[]): [string, number | undefined] {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const files = [ofClient, ...ofServices].map((value, n) => {
    const file = join(folder, `${n}.json`)
    writeFileSync(file, JSON.stringify(value))
    return file
  })
  canDeploy(files.slice(0, 1), files.slice(1), accepted)
  const lines = said.mock.calls.map(([line]) => String(line)).join('')
  return [lines.replaceAll(`${folder}/`, ''), process.exitCode as number | undefined]
}

const array = service({ 'rows.shape': 'array' })
const withFailure = { checks: [result('sql.limit', 'REQ-SQL-3', { outcome: 'fail' })] }
const waived = Object.assign(result('errors.one', 'REQ-ERR-1', { outcome: 'waived' }), {
  waiver: { reason: 'ticket 7' },
})

test('a client that survives the habits of a service may be deployed, whatever else stops it', () => {
  const tested = client([habit('rows.case=upper', stopped)], { verdict: 'stopped' })
  expect(decide(tested, [service({ 'rows.shape': 'array', 'rows.case': 'lower' })])).toEqual([
    'yes: 0.json with 1.json\n',
    undefined,
  ])
})

test('a habit that no answer showed to the client does not stop it', () => {
  expect(decide(client([habit('rows.shape=array', { outcome: 'not met' })]), [array])[0]).toMatch(/^yes/)
})

test('what is accepted of a service is told', () => {
  const accepted = service(
    {},
    { verdict: 'conformant-with-waivers', checks: [result('sql.limit', 'REQ-SQL-3'), waived] },
  )
  expect(decide(client([]), [accepted])).toEqual([
    'yes: 0.json with 1.json\n  accepted of the service: errors.one, ticket 7\n',
    undefined,
  ])
})

test.each<[string, object, object, RegExp]>([
  [
    'has a habit that stops it',
    client([habit('rows.shape=array', stopped)]),
    array,
    /rows\.shape=array, which stops the client: Two tests fail\./,
  ],
  [
    'has a habit that stops it, which a baseline accepts',
    client([habit('rows.shape=array', { ...stopped, outcome: 'waived', reason: 'known' })]),
    array,
    /which stops the client/,
  ],
  [
    'has a habit that it was not tested with',
    only([]),
    array,
    /the service has rows\.shape=array, which the client was not tested with/,
  ],
  [
    'has a habit that its interrupted run did not reach',
    client([habit('rows.shape=array', { outcome: 'not run' })]),
    array,
    /not tested with/,
  ],
  [
    'has a habit with an outcome of another version',
    client([habit('rows.shape=array', { outcome: 'SURVIVED' as 'survived' })]),
    array,
    /not tested with/,
  ],
  [
    'may have a habit that stops it',
    client([habit('rows.shape=array', stopped)]),
    service({}),
    /does not show whether the service has rows\.shape=array, which stops/,
  ],
  [
    'may have a habit that it was not tested with',
    only([]),
    service({}),
    /does not show whether the service has rows\.shape=array, which the client was not tested with/,
  ],
  [
    'has no known variant of a point',
    client([]),
    service({ 'rows.shape': 'other' }),
    /rows\.shape has no known variant/,
  ],
  [
    'has a point that this version does not know',
    client([]),
    service({ 'rows.unheard': 'of' }),
    /rows\.unheard, which this version does not know/,
  ],
  [
    'has a usual variant that tests with another one never met',
    only([], { plain: { ...client([]).plain, variants: { 'rows.shape': 'array' } } }),
    service({ 'rows.shape': 'object' }),
    /rows\.shape=object, which the client was not tested with/,
  ],
  [
    'is not conformant',
    client([]),
    service({}, { verdict: 'incomplete', reasons: ['nothing was asked'] }),
    /the service is incomplete: nothing was asked/,
  ],
  [
    'is called conformant by a report with a failure',
    client([]),
    service({}, withFailure),
    /the report is conformant, but sql\.limit fails/,
  ],
  [
    'is called conformant by a report without a check',
    client([]),
    service({}, { checks: [] }),
    /no check passes/,
  ],
  [
    'is the reference server',
    client([]),
    service({}, { target: { baseUrl: 'http://localhost', isReference: true } }),
    /not a service/,
  ],
  [
    'has another contract',
    client([], { contract: 'v2' }),
    service({}),
    /tested with contract v2, the service with v1/,
  ],
  [
    'was tested by a client whose run did not end',
    client([], { verdict: 'incomplete' }),
    service({}),
    /did not end/,
  ],
])('a service that %s means no', (_, ofClient, ofService, reason) => {
  const [lines, code] = decide(ofClient, [ofService])
  expect(lines).toMatch(/^no: 0\.json with 1\.json\n {2}/)
  expect(lines).toMatch(reason)
  expect(code).toBe(1)
})

test('a client that breaks a must means no, for each service', () => {
  const finding = {
    requirement: 'REQ-HTTP-2',
    level: 'must',
    outcome: 'fail',
    sentence: 'No type.',
    basis: 1,
    shownBy: [0],
  } as const
  const broken = client([], { plain: { durationMs: 1, requests: 1, findings: [finding] } })
  const [lines, code] = decide(broken, [service({}), array])
  expect(lines.match(/REQ-HTTP-2: No type\./g)).toHaveLength(2)
  expect(code).toBe(1)
})

test('an open point can be left out, and an unknown one is refused', () => {
  const tested = client([habit('rows.shape=array', stopped)])
  expect(decide(tested, [service({ 'rows.shape': 'array' })], ['rows.shape'])[0]).toMatch(/^yes/)
  expect(() => decide(tested, [service({})], ['rows.none'])).toThrow(/no open point "rows\.none"/)
})

test('a file of another kind is refused', () => {
  expect(() => decide({}, [service({})])).toThrow(
    /0\.json is not a report of a client\. Name a file that exec --habits/,
  )
  const twice = client([habit('rows.shape=array'), habit('rows.shape=array', stopped)])
  expect(() => decide(twice, [array])).toThrow(/not a report of a client/)
  expect(() => decide(client([]), [{}])).toThrow(/1\.json is not a conformance report/)
})
