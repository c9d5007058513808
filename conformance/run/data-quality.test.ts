import { expect, test } from 'vitest'
import { views } from '../../schemas/index.ts'
import { plausiblePlant, readAt } from '../../invariants/plant.test-helper.ts'
import { dataQualityOf } from './data-quality.ts'
import { handmade, manyRows } from '../connection/handmade.test-helper.ts'
import { disclosing } from '../connection/redaction/disclosure.ts'

const now = new Date(readAt)
const asIs = (text: string) => text

/** The longest response, with rows as wide as any of the plant. */
const wideRows = manyRows.v_archived_records.map((row) => ({ ...row, record_id: row.record_id.padEnd(2000) }))

/** A target with the plant of the invariants' tests, after all samples were read. */
async function target(change: (tables: ReturnType<typeof plausiblePlant>) => unknown = () => {}) {
  const rows = { ...plausiblePlant(), v_archived_records: wideRows }
  change(rows)
  const t = handmade({ rows })
  for (const { name } of views) await t.sample(name)
  return t
}

const note = (notes: Awaited<ReturnType<typeof dataQualityOf>>, id: string) =>
  notes.find((one) => one.id === id)!

test('data quality reports no violation for a plausible plant and sends no request', async () => {
  const t = await target()
  const sent = t.client.statements
  const notes = await dataQualityOf(t, now, asIs)
  expect(t.client.statements).toBe(sent)
  expect(notes.map(({ id }) => id)).toEqual(Array.from({ length: 38 }, (_, index) => `P${index + 1}`))
  expect(notes.filter(({ violations }) => violations > 0)).toEqual([])
  expect(notes.filter(({ rows }) => rows > 0).length).toBeGreaterThan(30)
})

test('data quality counts violating rows and shows examples', async () => {
  const t = await target((tables) => (tables.v_bioprocesses[0]!['duration_ms'] = 5))
  expect(note(await dataQualityOf(t, now, (text) => text.toUpperCase()), 'P2')).toMatchObject({
    rows: 18,
    violations: 1,
    examples: ['V_BIOPROCESSES "B1": DURATION_MS IS 5, BUT THE TIMESTAMPS GIVE 43200000.'],
  })
})

test('data quality conceals row values if evidence is hashed', async () => {
  const t = await target((tables) => (tables.v_bioprocesses[0]!['duration_ms'] = 5))
  const hashed = await disclosing('hashed', () => dataQualityOf(t, now, asIs))
  expect(note(hashed, 'P2').examples).toEqual([
    expect.stringMatching(
      /^v_bioprocesses "x0" #\w{6}: duration_ms is 0 #\w{6}, but the timestamps give 00000000 #\w{6}\.$/,
    ),
  ])
})

const filler = (index: number) => ({ id: `e${index}`, external_id: '', last_updated_at: readAt })

test('an invariant that needs a whole view is skipped for a part of it', async () => {
  const t = await target((tables) => {
    tables.v_experiments = Array.from({ length: 500 }, (_, index) => filler(index + 2))
  })
  expect(note(await dataQualityOf(t, now, asIs), 'P5')).toEqual({
    id: 'P5',
    title: 'parent_id names an experiment',
    rows: 0,
    violations: 0,
    examples: [],
  })
})

test('without samples no invariant has checked rows', async () => {
  const notes = await dataQualityOf(handmade({ rows: plausiblePlant() }), now, asIs)
  expect(notes.every(({ rows }) => rows === 0)).toBe(true)
})
