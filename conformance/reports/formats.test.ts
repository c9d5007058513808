import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { runConformance } from '../run/conformance.ts'
import { reportFormats } from './formats.ts'
import { everyOutcome, report } from './report.test-helper.ts'
import { terminalReport } from './terminal.ts'

const unreachable = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  retries: 0,
})
const refusing = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: async () => new Response('{"data":[],"status":{"state":"error","message":"no"}}', { status: 403 }),
})

/** The sentence of a requirement may contain the word null, so the test replaces it. */
const withoutSentences = (found: ConformanceReport): ConformanceReport => ({
  ...found,
  checks: found.checks.map((check) => ({ ...check, sentence: 'A server MUST answer.' })),
})

const formats = Object.entries({ ...reportFormats, terminal: terminalReport })

test.each(formats)(
  'the %s report of a run without optional options contains neither undefined nor null',
  async (_, format) => {
    for (const found of [await unreachable, await refusing])
      expect(format(withoutSentences(found))).not.toMatch(/\b(undefined|null|NaN|\[object Object\])\b/)
  },
)

test.each(formats)('the %s report shows the sentence of a failed requirement and its anchor', (_, format) => {
  const text = format(report(everyOutcome())).replaceAll('\\', '')
  expect(text).toContain('A server MUST meet REQ-SQL-3.')
  expect(text).toContain('docs/contract.md#req-sql-3')
})
