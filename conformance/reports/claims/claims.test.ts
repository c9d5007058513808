import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { requirementSet, validators, type ConformanceClaim } from '../../../schemas/index.ts'
import { reportFormats } from '../formats.ts'
import { everyOutcome, report, result } from '../report.test-helper.ts'
import { factsOf } from '../summary.ts'
import { badgeOf, badgesOf, fileNameOf } from './badge.ts'
import { claimOf, parseClaim } from './claim.ts'
import { claimsHtml, claimsMarkdown, newest } from './table.ts'

const { version, hash } = requirementSet
const ofTheSet = Object.entries(requirementSet.checks).map(([id, requirement]) => result(id, requirement))
const whole = report([...everyOutcome(), ...ofTheSet], {
  requirementSet: { version, hash },
  verdict: 'non-conformant',
  counts: { ...report([]).counts, pass: 7 },
})
const claim = (rest: Partial<ConformanceClaim> = {}): ConformanceClaim => ({
  ...claimOf(whole, 'Acme historian'),
  ...rest,
})

test('a claim has the set, the verdict, failures, and the reason of each gap, and no address', () => {
  expect(claim()).toEqual({
    target: 'Acme historian',
    date: '2026-01-01',
    verdict: 'non-conformant',
    contract: 'v1',
    requirementSet: { version: 'v2', hash },
    suite: { name: 'bioprocess-sql-contract', version: '1.2.3' },
    reportHash: `sha256:${createHash('sha256').update(reportFormats.json(whole)).digest('hex')}`,
    timeLimitMs: 30_000,
    passed: 7,
    failed: ['a.fail', 'c.broke'],
    waived: { 'c.waived': 'ticket 4711' },
    notExercised: { 'b.absent': 'no rows', 'b.changed': 'rows changed' },
  })
  expect(validators.claim(claim())).toBe(true)
})

test('a claim and the facts of a report name the time after which a statement was ended with 504', () => {
  const evidence = [{ request: '', status: 504, bytes: 0, sha256: '', durationMs: 10_012 }]
  const cut = report([{ ...result('time.limit', 'REQ-TIME-1'), evidence }])
  expect(claimOf(cut, 'Acme historian')).toMatchObject({ timeLimitMs: 30_000, observedLimitMs: 10_012 })
  expect(factsOf(cut)).toMatch(/ · 504 after 10\.0 s$/)
})

test('a claim names the checks of the set that the run left out', () => {
  const checks = ofTheSet.filter(({ id }) => !id.startsWith('time.'))
  const { notExercised } = claimOf(report(checks), 'Acme historian')
  expect(Object.keys(notExercised)).toContain('time.limit')
  expect(Object.keys(notExercised).every((id) => id.startsWith('time.'))).toBe(true)
  expect(new Set(Object.values(notExercised))).toEqual(new Set(['the check was not selected']))
})

test('parseClaim reads what claimOf makes, and says what is wrong with another file', () => {
  expect(parseClaim(JSON.stringify(claim()), 'a.json')).toEqual(claim())
  expect(() => parseClaim('root:x:0:0:root:/root', 'a.json')).toThrow(
    /^a\.json is not a claim: expected a value at column 1\. Write one with conformance --claim a\.json\.$/,
  )
  expect(() => parseClaim(JSON.stringify({ ...claim(), verdict: 'good' }), 'a.json')).toThrow(
    'a.json is not a claim: /verdict must be equal to one of the allowed values: conformant, conformant-with-waivers, incomplete, non-conformant, unreachable, suite-error. Write one with conformance --claim a.json.',
  )
})

test('parseClaim names a key that a claim does not have, and those that it has', () => {
  expect(() => parseClaim(JSON.stringify({ ...claim(), signed: true }), 'a.json')).toThrow(
    /^a\.json is not a claim: its top level has the key "signed"; the keys are .*target, date, verdict, .* Write one/,
  )
})

test('the table of claims has the newest of each service, and names claims of another set', () => {
  const claims = newest([
    claim({ target: 'Zeta', requirementSet: { version: 'v2', hash: 'sha256:other' } }),
    claim({ date: '2026-02-01', verdict: 'conformant', failed: [] }),
    claim(),
  ])
  expect(claims.map(({ target, date }) => `${target} ${date}`)).toEqual([
    'Acme historian 2026-02-01',
    'Zeta 2026-01-01',
  ])
  expect(claimsMarkdown(claims)).toContain(
    '| Acme historian | conformant | set v2 | 2026-02-01 | 1.2.3 \\(commit unknown\\) | 7 | 0 | 1: c.waived | 2: b.absent, b.changed |',
  )
  expect(claimsMarkdown(claims)).toContain('| Zeta | non-conformant | another set v2 |')
})

test('the tables of claims escape the name of a service and shorten long lists', () => {
  const failed = Array.from({ length: 100 }, (_, n) => `sql.n${n}`)
  const claims = [claim({ target: '<b>|x', failed })]
  expect(claimsHtml(claims)).toContain('&lt;b&gt;|x')
  expect(claimsHtml(claims)).toContain('100: sql.n0, sql.n1, sql.n2, sql.n3, sql.n4 …')
  expect(claimsMarkdown(claims)).toContain(String.raw`| \<b\>\|x |`)
})

test('a badge has the form of a shields.io endpoint and a file name without special characters', () => {
  expect(badgeOf(claim())).toEqual({
    schemaVersion: 1,
    label: 'bioprocess sql set v2',
    message: 'non-conformant',
    color: 'red',
  })
  expect(fileNameOf('Acme (Ünit) ../historian')).toBe('acme-nit-historian')
  expect(fileNameOf('../../..')).toBe('target')
})

test('a badge bounds and escapes the texts of a claim, and targets never share a file', () => {
  const [long, other] = ['a'.repeat(5000), `${'a'.repeat(5000)}b`]
  const version = `v1\u202e${'x'.repeat(5000)}`
  const badges = badgesOf([
    claim({ target: long, requirementSet: { version } }),
    claim({ target: other }),
    claim({ target: 'Acme A' }),
    claim({ target: 'acme/a' }),
  ])
  const names = [...badges.keys()]
  expect(names[2]).toBe('acme-a')
  expect(names[3]).toMatch(/^acme-a-[0-9a-f]{8}$/)
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(100)
  expect(badges.get(names[0]!)!.label).toBe(`bioprocess sql set v1\\u202e${'x'.repeat(17)}…`)
})
