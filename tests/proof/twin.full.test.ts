import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { capped, type Cap } from './caps.ts'
import { createDataset } from '../../fixtures/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { contract, statements, type ViewName } from '../../schemas/index.ts'
import type { Recording } from '../../client/twin/index.ts'
import { caps, countsOf, silentlyCut } from './support/recorded-caps.ts'
import { answerOf, newFolder, recordedRows, recordFrom, twinOf } from '../e2e/support/twin.ts'
import { smallestPlant } from './support/self-proof.ts'

let vendor: Reference
beforeAll(async () => {
  vendor = await createReference({ ...smallestPlant, workers: 2 })
})
afterAll(() => vendor.close())

/** Takes the texts of ids, names and notes out of a value; keeps its shape, numbers and times. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]))
  return typeof value === 'string' && !/^\d{4}-\d\d-\d\d/.test(value) ? 'text' : value
}

const texts = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

const incomplete = ({ views }: Recording): string[] =>
  Object.entries(views).flatMap(([view, { complete }]) => (complete ? [] : [view]))

describe.each([
  ['with pseudonyms', false],
  ['with its texts', true],
])('the twin of the reference, %s', (_, keepTexts) => {
  const { out, remove } = newFolder()
  let twin: Reference
  beforeAll(async () => {
    const recording = await recordFrom(vendor, out, { keepTexts })
    expect(recording.finished).toBe(true)
    expect(Object.values(recording.views).filter(({ complete }) => !complete)).toEqual([])
    twin = await twinOf(out)
  })
  afterAll(async () => {
    await twin.close()
    remove()
  })

  test.each(statements.map(({ id, statement }) => [id, statement] as const))(
    'answers %s with the same counts and types',
    async (id, statement) => {
      const [original, copy] = [await answerOf(vendor, statement), await answerOf(twin, statement)]
      expect(copy.status).toEqual(original.status)
      expect(copy.data.length).toBe(original.data.length)
      expect(copy.data.length, id).toBeGreaterThan(id === 'delta-by-subquery' ? -1 : 0)
      // a LIMIT without an order may choose other rows
      if (id === 'select-with-limit')
        expect(Object.keys(copy.data[0]!)).toEqual(Object.keys(original.data[0]!))
      else if (keepTexts) expect(texts(copy.data)).toEqual(texts(original.data))
      else expect(texts(copy.data.map(typed))).toEqual(texts(original.data.map(typed)))
    },
  )

  test('has as many rows in every view', async () => {
    expect(await countsOf(twin)).toEqual(await countsOf(vendor))
  })
})

test('pseudonyms leave no id, name or note of the service in the folder, and keep every relation', async () => {
  const { out, remove } = newFolder()
  onTestFinished(remove)
  const small = await createReference({ scale: 0.01, workers: 1 })
  onTestFinished(() => small.close())
  await recordFrom(small, out)
  const folder = contract.views.map((view) => readFileSync(join(out, `${view}.ndjson`), 'utf8')).join('')
  const secrets = (await answerOf(small, 'SELECT id, external_id, name, parent_id FROM v_bioprocesses')).data
    .flatMap((row) => Object.values(row))
    .concat((await answerOf(small, 'SELECT notes AS note FROM v_quantities')).data.map(({ note }) => note))
    .filter((text) => typeof text === 'string')
  expect(secrets.length).toBeGreaterThan(50)
  expect(secrets.filter((secret) => folder.includes(secret))).toEqual([])
  for (const { from, to } of contract.relations) {
    const [view, column] = from.split('.') as [ViewName, string]
    const [target, key] = to.split('.') as [ViewName, string]
    const known = new Set(recordedRows(out, target).map((row) => row[key]))
    const open = recordedRows(out, view).filter((row) => row[column] !== null && !known.has(row[column]))
    const before = await answerOf(
      small,
      `SELECT count(*) AS n FROM ${view} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT ${key} FROM ${target})`,
    )
    expect(open.length, from).toBe(before.data[0]!['n'])
  }
})

describe('a service that caps its answers without notice', () => {
  let small: Reference
  let counts: Record<string, unknown>
  beforeAll(async () => {
    small = await createReference({ dataset: createDataset(smallestPlant), workers: 1 })
    counts = await countsOf(small)
  })
  afterAll(() => small.close())

  const recordCapped = (cap: Cap, undocumented: boolean): Promise<Recording> => {
    const { out, remove } = newFolder()
    onTestFinished(remove)
    return recordFrom({ ...small, fetch: capped(cap)(small.fetch) }, out, { undocumented, maxRequests: 2000 })
  }

  test.each(caps.few)('is recorded whole, or the recording says which view is not: %o', async (cap) => {
    const recording = await recordCapped(cap, false)
    expect(silentlyCut(recording, counts)).toEqual([])
  })

  test.each([
    { rows: 40, order: 'oldest' },
    { rows: 40, order: 'oldest-in-deltas' },
    { bytes: 64 * 1024, order: 'oldest' },
  ] satisfies Cap[])('is read whole with documented deltas if they come oldest first: %o', async (cap) => {
    // many quantities have one time; the caps put the points in no order, and the archive has no last_updated_at
    const others = incomplete(await recordCapped(cap, false)).filter(
      (view) => !['v_timeseries_data', 'v_archived_records'].includes(view),
    )
    expect(others).toEqual([])
  })

  test.each([
    { rows: 40, order: 'insertion' },
    { rows: 500, order: 'newest' },
    { bytes: 16 * 1024, order: 'oldest' },
  ] satisfies Cap[])('is read whole by key with undocumented statements: %o', async (cap) => {
    const recording = await recordCapped(cap, true)
    expect(incomplete(recording)).toEqual([])
    const rows = Object.entries(recording.views).map(([view, read]) => [view, read.rows])
    expect(Object.fromEntries(rows)).toEqual(counts)
  })
})
