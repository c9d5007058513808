import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportFormats } from '../../conformance/reports/formats.ts'
import { report } from '../../conformance/reports/report.test-helper.ts'
import type { ConformanceClaim } from '../../schemas/index.ts'
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
  for (const [file, name] of Object.entries({ acme: 'Acme historian', long: 'a'.repeat(5000) }))
    writeFileSync(at(`${file}.json`), claimText(report([]), name))
  writeMatrix(folder, { format: 'markdown', out: at('table.md'), badges: at('badges') })
  expect(readdirSync(at('badges'))).toEqual([expect.stringMatching(/^a{80}-/), 'acme-historian.json'])
  expect(readFileSync(at('table.md'), 'utf8')).toContain('| Acme historian | conformant |')
  expect(said.mock.calls.join()).toMatch(/bad\.json is not a claim.*folder\.json \(not a regular file\)/s)
  expect(process.exitCode).toBe(1)
})

test('a folder without a claim is refused', () => {
  const options = { format: 'markdown', out: at('table.md') } as const
  expect(() => writeMatrix(at('none'), options)).toThrow(/none holds no claim\. Name a folder/)
})

test('a claim is compared with the report that it is the summary of', () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const [own, other] = [report([]), report([], { startedAt: '2026-02-01T00:00:00.000Z' })]
  const options = { format: 'markdown', out: at('table.md'), verify: at('reports') } as const
  mkdirSync(at('reports'))
  const verify = (claim: object, of = own) => {
    process.exitCode = undefined
    said.mockClear()
    writeFileSync(at('reports/run.json'), reportFormats.json(of))
    writeFileSync(at('acme.json'), JSON.stringify(claim))
    writeMatrix(folder, options)
    return [process.exitCode, said.mock.calls.join()]
  }
  const claim = JSON.parse(claimText(own, 'Acme')) as ConformanceClaim
  const { reportHash: _, ...unbound } = claim
  expect(verify(claim)).toEqual([undefined, ''])
  expect(verify({ ...claim, $schema: 'claim.schema.json' })).toEqual([undefined, ''])
  expect(verify({ ...claim, passed: 200, waived: {} })).toEqual([
    1,
    expect.stringMatching(/differs from its report .*run\.json: passed\./),
  ])
  expect(verify(claim, other)).toEqual([1, expect.stringContaining('no report with its hash')])
  expect(verify(unbound)).toEqual([1, expect.stringContaining('no report with its hash')])
})
