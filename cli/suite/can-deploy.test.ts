import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HabitReport, HabitResult } from '../../client/conformance/index.ts'
import { observed, report } from '../../conformance/reports/report.test-helper.ts'
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

const client = (results: HabitResult[], rest: Partial<HabitReport> = {}): HabitReport => ({
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
  report([], { observations: observed(variants), ...rest })

/** The lines and the exit code of the command. */
function decide(ofClient: object, ofServices: object[], accepted?: string[]): [string, number | undefined] {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const files = [ofClient, ...ofServices].map((value, n) => {
    const file = join(folder, `${n}.json`)
    writeFileSync(file, JSON.stringify(value))
    return file
  })
  canDeploy(files[0]!, files.slice(1), accepted)
  const lines = said.mock.calls.map(([line]) => String(line)).join('')
  return [lines.replaceAll(`${folder}/`, ''), process.exitCode as number | undefined]
}

test('a client that survives the habits of a service may be deployed, whatever else stops it', () => {
  const tested = client([habit('rows.shape=array'), habit('rows.case=upper', stopped)], {
    verdict: 'stopped',
  })
  expect(decide(tested, [service({ 'rows.shape': 'array', 'rows.case': 'lower' })])).toEqual([
    'yes: 0.json with 1.json\n',
    undefined,
  ])
})

test.each<[string, object, object, RegExp]>([
  [
    'that stops it',
    client([habit('rows.shape=array', stopped)]),
    service({ 'rows.shape': 'array' }),
    /rows\.shape=array, which stops the client: Two tests fail\./,
  ],
  ['that it was not tested with', client([]), service({ 'rows.shape': 'array' }), /not tested with/],
  [
    'that its interrupted run did not reach',
    client([habit('rows.shape=array', { outcome: 'not run' })]),
    service({ 'rows.shape': 'array' }),
    /not tested with/,
  ],
  [
    'that may stop it and was not observed',
    client([habit('rows.shape=array', stopped)]),
    service({}),
    /does not show what the service does/,
  ],
  [
    'that is no known variant',
    client([]),
    service({ 'rows.shape': 'other' }),
    /rows\.shape is no known variant/,
  ],
  [
    'of the contract that tests with another variant never met',
    client([], { plain: { ...client([]).plain, variants: { 'rows.shape': 'array' } } }),
    service({ 'rows.shape': 'object' }),
    /not tested with/,
  ],
])('a service with a habit %s means no', (_, ofClient, ofService, reason) => {
  const [lines, code] = decide(ofClient, [ofService])
  expect(lines).toMatch(/^no: 0\.json with 1\.json\n {2}/)
  expect(lines).toMatch(reason)
  expect(code).toBe(1)
})

test('a service that is not conformant, a client that breaks a must and an unfinished run mean no, for each service', () => {
  const finding = {
    requirement: 'REQ-HTTP-2',
    level: 'must',
    outcome: 'fail',
    sentence: 'No type.',
    basis: 1,
    shownBy: [0],
  } as const
  const broken = client([], {
    verdict: 'incomplete',
    plain: { durationMs: 1, requests: 1, findings: [finding] },
  })
  const [lines, code] = decide(broken, [
    service({}),
    service({}, { verdict: 'incomplete', reasons: ['nothing was asked'] }),
  ])
  expect(lines.match(/REQ-HTTP-2: No type\./g)).toHaveLength(2)
  expect(lines).toMatch(/did not end/)
  expect(lines).toContain('the service is incomplete: nothing was asked')
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
  expect(() => decide(client([]), [{}])).toThrow(/1\.json is not a conformance report/)
})
