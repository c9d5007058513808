import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportFormats } from '../../conformance/reports/formats.ts'
import { report, result } from '../../conformance/reports/report.test-helper.ts'
import type { ConformanceClaim, ConformanceReport } from '../../schemas/index.ts'
import { claimText, writeMatrix } from './claims.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
  vi.restoreAllMocks()
  process.exitCode = undefined
})
const at = (...path: string[]) => join(folder, ...path)

test('a file that is no claim, and a claim with a long name, do not stop the table and the badges of the others', () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  mkdirSync(at('folder.json'))
  writeFileSync(at('bad.json'), '{}')
  writeFileSync(at('secret'), 'hunter2:x:0:0')
  symlinkSync(at('secret'), at('link.json'))
  for (const [file, name] of Object.entries({ acme: 'Acme historian', long: 'a'.repeat(5000) }))
    writeFileSync(at(`${file}.json`), claimText(report([]), name))
  writeMatrix(folder, { format: 'markdown', out: at('table.md'), badges: at('badges') })
  expect(readdirSync(at('badges'))).toEqual([expect.stringMatching(/^a{80}-/), 'acme-historian.json'])
  expect(readFileSync(at('table.md'), 'utf8')).toContain('| Acme historian | conformant |')
  expect(said.mock.calls.join()).toMatch(/bad\.json is not a claim.*folder\.json \(not a regular file\)/s)
  expect(said.mock.calls.join()).toContain('link.json is not a claim: expected a value at column 1.')
  expect(said.mock.calls.join()).not.toContain('hunter2')
  expect(process.exitCode).toBe(1)
})

test('a folder without a claim is refused', () => {
  const options = { format: 'markdown', out: at('table.md') } as const
  expect(() => writeMatrix(at('none'), options)).toThrow(/none holds no claim\. Name a folder/)
})

describe('with --verify', () => {
  const passing = [result('sql.limit', 'REQ-SQL-3')]
  const own = report(passing)
  const claim = JSON.parse(claimText(own, 'Acme')) as ConformanceClaim
  const { reportHash: _, ...unbound } = claim

  /** The exit code, what was said and the table of a folder of claims beside a report. */
  function verify(claims: readonly object[], of = own) {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    mkdirSync(at('reports'))
    writeFileSync(at('reports/run.json'), reportFormats.json(of))
    for (const [n, one] of claims.entries()) writeFileSync(at(`${n}.JSON`), JSON.stringify(one))
    writeMatrix(folder, { format: 'markdown', out: at('table.md'), verify: at('reports') })
    const rows = readFileSync(at('table.md'), 'utf8').match(/^\| (Acme|Other) \|/gm) ?? []
    return [process.exitCode, said.mock.calls.join(), rows.length]
  }

  test('a claim that is the summary of a report is in the table', () => {
    expect(verify([{ ...claim, $schema: 'claim.schema.json' }])).toEqual([undefined, '', 1])
  })

  test.each<[string, object[], RegExp, ConformanceReport?]>([
    [
      'says something else',
      [{ ...claim, passed: 200, waived: {} }],
      /differs from its report .*run\.json: passed\./,
    ],
    [
      'has the hash of another one',
      [claim],
      /no report with its hash/,
      report(passing, { startedAt: '2026-02-01T00:00:00.000Z' }),
    ],
    ['has no hash', [unbound], /no report with its hash/],
    [
      'is one of two of a report',
      [claim, { ...claim, target: 'Other' }],
      /Acme .* has the report of Other.*Other .* has the report of Acme/s,
    ],
  ])('a claim that %s is named, and is not in the table', (_, claims, sentence, of) => {
    expect(verify(claims, of)).toEqual([1, expect.stringMatching(sentence), 0])
  })

  test('an older claim of a service is compared too', () => {
    expect(verify([claim, { ...unbound, date: '2020-01-01' }])).toEqual([
      1,
      expect.stringMatching(/Acme \(2020-01-01\) is not proven/),
      1,
    ])
  })

  test.each<[string, ConformanceReport, RegExp]>([
    [
      'contradicts itself',
      report([...passing, result('a.b', 'REQ-SQL-2', { outcome: 'fail' })]),
      /but a\.b fails/,
    ],
    [
      'judges the reference server',
      report(passing, { target: { baseUrl: 'http://localhost', isReference: true } }),
      /not a service/,
    ],
  ])('a report that %s proves no claim', (_, of, sentence) => {
    expect(verify([JSON.parse(claimText(of, 'Acme')) as object], of)).toEqual([
      1,
      expect.stringMatching(sentence),
      0,
    ])
  })
})
