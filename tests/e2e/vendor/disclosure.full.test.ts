import { afterAll, beforeAll, expect, test } from 'vitest'
import { checks, runConformance } from '../../../conformance/index.ts'
import { mutants } from '../../proof/mutants/index.ts'
import { everyCase, noteSample } from '../support/tiers.ts'
import { isSlow, smallPlant, startReference, type LimitedReference } from '../../proof/support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference(smallPlant)
})
afterAll(() => reference.close())

/** Mutants with defects in rows: the findings about them quote rows. */
const aboutRows = mutants.filter(
  (mutant) => /^REQ-(VIEW|SQL|JOIN|DELTA)/.test(mutant.breaks) && !isSlow(mutant),
)

/** A date without a time does not identify a row, and bounds of deltas are dates. */
const DATE = /^\d{4}-\d\d-\d\d$/

/** Collects the values that identify a row: ids, names, times and longer numbers, but no documented words. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' && /^(?=.*\d).{6,}$/.test(value) && !DATE.test(value)) into.add(value)
  else if (typeof value === 'number' && String(value).length >= 6) into.add(String(value))
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) collect(item, into)
}

/** Whether the checks that catch a mutant read the answers to other checks. */
const judgesOthers = ({ id, breaks }: (typeof mutants)[number]) =>
  breaks === 'REQ-SQL-3' || id.startsWith('replies-')

/** Runs the checks that catch a mutant, and those that send answers to compare. @returns the row values it sent, and the texts of the report that repeat no statement */
async function run(mutant: (typeof mutants)[number], evidence: 'hashed' | 'full') {
  const values = new Set<string>()
  const broken = mutant.wrap(reference.fetch)
  const catching = checks.filter(
    ({ id, killedBy }) =>
      killedBy.includes(mutant.id) || (judgesOthers(mutant) && /^(sql|join|delta)\./.test(id)),
  )
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    evidence,
    only: catching.map(({ id }) => id),
    timeLimitMs: reference.timeLimitMs,
    fetch: async (input, init) => {
      const response = await broken(input, init)
      const { data } = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { data?: unknown }
      if (Array.isArray(data)) collect(data, values)
      return response
    },
  })
  const texts = report.checks.flatMap(({ message, notes = [], expected = '', actual = '', evidence }) => [
    message,
    ...notes,
    expected,
    actual,
    ...evidence.map(({ body = '' }) => body),
  ])
  return {
    values,
    texts: [...texts, ...report.reasons, ...Object.values(report.observations).map(({ seen }) => seen)],
    report,
  }
}

/** One for each requirement; the release tier runs all. */
const judged = everyCase
  ? aboutRows
  : aboutRows.filter(({ breaks }, index) => aboutRows.findIndex((other) => other.breaks === breaks) === index)
noteSample({ of: 'mutants with hashed evidence', ran: judged.length, exist: aboutRows.length })

test.each(judged.map((mutant) => [mutant.id, mutant] as const))(
  'a report with hashed evidence on %s contains no value of a row',
  async (_, mutant) => {
    const { values, texts, report } = await run(mutant, 'hashed')
    expect(report.counts.fail + report.counts.warn + report.counts.observed).toBeGreaterThan(0)
    const leaks = texts.flatMap((text) =>
      [...values]
        .filter((value) => text.includes(value))
        .map((value) => `${value} in: ${text.slice(0, 200)}`),
    )
    expect(leaks.slice(0, 5)).toEqual([])
  },
)

test('a report with full evidence contains values and bodies', async () => {
  const { values, texts, report } = await run(
    mutants.find(({ id }) => id === 'timestamps-space')!,
    'full',
  )
  const failed = report.checks.find(({ id }) => id === 'timestamps.separator')!
  expect(failed.actual).toMatch(/"20\d\d-\d\d-\d\d \d\d:/)
  expect(failed.evidence[0]!.body).toContain('{"data":[')
  expect([...values].some((value) => texts.some((text) => text.includes(value)))).toBe(true)
})
