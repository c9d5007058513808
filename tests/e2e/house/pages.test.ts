import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runConformance, terminalReport } from '../../../conformance/index.ts'
import type { Figure } from '../../../generators/pages/figure-table.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { failureModes } from '../../../fixtures/processes/failures.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { mutants } from '../../proof/mutants/index.ts'
import { ask } from '../support/ask.ts'
import { root } from '../support/cli.ts'
import { expectShown } from '../support/page-output.ts'
import { sources } from '../support/sources.ts'

// What pages say of the plant, of a report and of measurements.

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

let reference: Reference
beforeAll(async () => {
  reference = await createReference()
})
afterAll(() => reference.close())

test('the failure in README.md is what the suite says of a server that drops rows from a LEFT JOIN', async () => {
  const { wrap } = mutants.find(({ id }) => id === 'join-inner')!
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: wrap(reference.fetch),
    only: ['join.keeps-left-rows'],
  })
  expectShown('README.md', /join\.keeps-left-rows/, terminalReport(report))
})

test('each run that a page, an example or a help text names is in the default plant', () => {
  const runs = [...createDataset().rows('v_bioprocesses')].map(({ name }) => name.split(' ')[0])
  const texts = sources().filter((path) => /^(README|docs\/|examples\/|cli\/|console\/)/.test(path))
  const named = texts
    .filter((path) => !path.includes('.test'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/\b[A-Z]{2}-\d{6}-R\d+/g)].map(([code]) => `${code} in ${path}`),
    )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((one) => !runs.includes(one.split(' ')[0]))).toEqual([])
})

/** Limits and defaults that pages tell: of the contract, of the server, of options and of other programs. */
const limits = new Set(
  `30 seconds, 30 s, 60 s, 15 s, 5 s, 3 s, 2 s, 1 GB, 512 MB, 640 MB, 48 MB, 8 MB, 1 MB, 1 GiB, 256 MiB, 160 MiB, 64 MiB, 32 MiB,
  1 MiB, 10 kB, 30 requests`.split(/,\s+/),
)

test('each time, size and cost that a page tells is a limit, or a figure of docs/performance.md', () => {
  const figures = JSON.parse(textOf('tests/bench/figures.json')) as Figure[]
  const requests = figures.find(({ what }) => what === 'requests')!.figure
  const measured = `${Math.round(Number(requests) / 10) * 10} requests`
  const pages = sources().filter(
    (path) =>
      /^(README|docs\/[^/]+|examples\/.*)\.md$/.test(path) &&
      !/(contract|questions|performance)\.md$/.test(path),
  )
  const told = pages.flatMap((path) => {
    const prose = textOf(path)
      .replace(/```[^]*?```|`[^`\n]*`/g, '')
      .replace(/\s+/g, ' ')
    const found = prose.matchAll(/(?<![\w.])\d[\d.,]* ?(?:seconds?|s|ms|[uµ]s|[kKMG]i?B|requests)\b/g)
    return Array.from(found, ([text]) => ({ path, text }))
  })
  expect(told).toContainEqual({ path: 'docs/vendor.md', text: measured })
  expect(told.filter(({ text }) => text !== measured && !limits.has(text))).toEqual([])
})

test('docs/data.md names every way in which a run fails', () => {
  const page = textOf('docs/data.md').replaceAll('\n', ' ').toLowerCase()
  expect(failureModes.filter((mode) => !page.includes(mode.toLowerCase()))).toEqual([])
})

/** The first row of a statement. */
const one = async (text: string) => (await ask(reference, text, reference.fetch)).rows[0]
/** The rows of one quantity. */
const sized = (rows: string) =>
  `(${rows}) d JOIN v_quantities q ON q.id = d.quantity_id WHERE q.name = 'Bioreactor size'`

test('the statement in docs/data.md reads the numbers of a quantity, also those that are texts', async () => {
  const [, statement] = /^```sql\n([^]*?)^```/m.exec(textOf('docs/data.md'))!
  const all = await one(
    `SELECT count(*) n, sum((value #>> '{}')::numeric) total FROM ${sized('SELECT * FROM v_bioprocess_quantity_data')}`,
  )
  expect(await one(`SELECT count(*) n, sum(number) total FROM ${sized(statement!)}`)).toEqual(all)
  const { texts } = (await one(
    `SELECT count(*) texts FROM ${sized(`SELECT * FROM v_bioprocess_quantity_data WHERE jsonb_typeof(value) = 'string'`)}`,
  ))!
  expect(texts).toBeGreaterThan(0)
  // the texts that are no numbers are null instead of an error
  expect(await one(`SELECT count(number) < count(*) AS "hasNulls" FROM (${statement}) d`)).toEqual({
    hasNulls: true,
  })
})

/** Messages of msw, of test runners and of JavaScript. */
const ofOthers =
  /^(Test timed out|Hook timed out|Exceeded timeout|\[MSW\]|ReferenceError|SyntaxError|TypeError)/

test('each message of docs/troubleshooting.md is one of the sources', () => {
  const cells = textOf('docs/troubleshooting.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, message]) => message!))
  const messages = cells.filter((message) => !ofOthers.test(message))
  expect(messages.length).toBeGreaterThan(12)
  const written = sources()
    .filter((path) => /^(base|mock|schemas)\/.*\.ts$/.test(path) && !path.includes('.test'))
    .map(textOf)
    .join('\n')
  expect(messages.filter((message) => !written.includes(message))).toEqual([])
})

test('each JavaScript sample of a page is what this Node reads, which in CI is the oldest', () => {
  const pages = sources().filter((path) => /^(README|docs\/[^/]+)\.md$/.test(path))
  const samples = pages.flatMap((path) =>
    [...textOf(path).matchAll(/^```js\n([^]*?)^```/gm)].map(([, text]) => [path, text]),
  )
  expect(samples.length).toBeGreaterThan(10)
  const readEach = `for (const [path, text] of JSON.parse(require('node:fs').readFileSync(0)))
    try { new (require('node:vm').SourceTextModule)(text) } catch (error) { console.log(path, error.message) }`
  const flags = ['--experimental-vm-modules', '--no-warnings']
  const wrong = execFileSync(process.execPath, [...flags, '-e', readEach], {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  })
  expect(wrong).toBe('')
})
