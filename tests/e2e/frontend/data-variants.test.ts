import { parse, stringify } from 'lossless-json'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeRows, viewChanges } from '../../../mock/engine/views/views.ts'
import { createSettings } from '../../../mock/open-points/settings.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { isSetting, openPoints, view, views, type ViewName } from '../../../schemas/index.ts'

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, workers: 2 })
})
afterAll(() => reference.close())

async function answer(statement: string, variant = ''): Promise<string> {
  const response = await reference.fetch(`${reference.baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${reference.token}`,
      'content-type': 'application/json',
      ...(variant && { 'x-mock-variant': variant }),
    },
    body: JSON.stringify({ statement }),
  })
  return response.text()
}

type Row = Record<string, unknown>

/** Sends a statement and returns its rows, with the digits of numbers as printed. */
async function rows(statement: string, variant?: string): Promise<Row[]> {
  const { data, status } = parse(await answer(statement, variant)) as {
    data: Row[]
    status: { state: string; message: string }
  }
  expect(`${status.state}: ${status.message}`).toMatch(/^success/)
  return data
}

const count = async (from: string, variant: string): Promise<number> =>
  Number(String((await rows(`SELECT count(*) AS n FROM ${from}`, variant))[0]!['n']))

/** All rows of a view, but only the points of one series. */
const whole = (name: ViewName) =>
  name === 'v_timeseries_data'
    ? `${name} WHERE id = (SELECT min(id) FROM v_timeseries)`
    : `${name} WHERE true`

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The filter that a client writes for a printed value. */
function filterFor(name: ViewName, column: string, value: unknown): string {
  if (value === null) return `${column} IS NULL`
  const isJson = view(name).columns.find((known) => known.name === column)?.postgres === 'jsonb'
  return `${column} = ${isJson ? `${quoted(stringify(value)!)}::jsonb` : quoted(String(value))}`
}

/** Every variant that changes views. */
const all = openPoints
  .filter(({ id }) => isSetting(id))
  .flatMap(({ id, default: usual, variants }) =>
    variants.flatMap(({ slug }) => {
      const [change] = viewChanges(createSettings({ [id]: slug }))
      return change && changeRows([change])
        ? [{ isDefault: slug === usual, slug, variant: `${id}=${slug}`, change }]
        : []
    }),
  )

test('no default variant changes the data', () => {
  expect(all.length).toBeGreaterThan(45)
  expect(all.filter(({ isDefault }) => isDefault)).toEqual([])
})

describe('a variant that changes the data', () => {
  // rows that are not JSON cannot be compared
  const readable = all.filter(({ slug }) => slug !== 'bare-nan')

  test.each(readable)(
    'has the same values in SQL as in the answer: $variant',
    async ({ variant, change: views }) => {
      for (const [name, change] of Object.entries(views) as [ViewName, Row][]) {
        const printed = await rows(`SELECT * FROM ${whole(name)}`, variant)
        const { columns = {} } = change as { columns?: Row }
        const documented = view(name).columns.map((known) => known.name)
        const left = documented.filter((column) => columns[column] !== null)
        const added = Object.keys(columns).filter((column) => !documented.includes(column))
        expect(Object.keys(printed[0]!)).toEqual([...left, ...added])

        for (const column of Object.keys(columns).filter((known) => columns[known] !== null)) {
          const values = new Map(printed.map((row) => [stringify(row[column])!, row[column]]))
          for (const [text, value] of [...values].slice(0, 2)) {
            const same = printed.filter((row) => stringify(row[column]) === text).length
            const filter = filterFor(name, column, value)
            expect(await count(`${whole(name)} AND ${filter}`, variant), filter).toBe(same)
          }
        }
      }
    },
  )

  test('has other values than the default', async () => {
    const lines = new Map<string, string>()
    for (const { name } of views) lines.set(name, await answer(`SELECT * FROM ${name} LIMIT 400`))
    // this variant prints texts that look like the former timestamps
    for (const { variant, change } of all.filter(({ slug }) => slug !== 'text-comparison')) {
      const names = Object.keys(change)
      const answers = await Promise.all(
        names.map((name) => answer(`SELECT * FROM ${name} LIMIT 400`, variant)),
      )
      expect(
        names.some((name, index) => answers[index] !== lines.get(name)),
        variant,
      ).toBe(true)
    }
    for (const { name } of views)
      expect(await answer(`SELECT * FROM ${name} LIMIT 400`)).toBe(lines.get(name))
  })
})

const ids = (list: Row[]) => list.map(({ id }) => id)

describe('the zone of a bound in a delta', () => {
  const updates = 'SELECT id, last_updated_at FROM v_bioprocesses ORDER BY id'
  const newer = (bound: string, variant?: string) =>
    rows(`${updates.replace('ORDER', `WHERE last_updated_at > ${bound} ORDER`)}`, variant)

  test('is New York with delta.zone=session-zone, while timestamps are printed in UTC', async () => {
    const zone = 'delta.zone=session-zone'
    const [, , , fourth] = await rows(updates)
    expect(await answer(updates, zone)).toBe(await answer(updates))
    const [day, time] = String(fourth!['last_updated_at']).split(/[T+]/)
    // this bound is an hour earlier in UTC, but hours later in New York
    const bound = `'${day} ${time}'::timestamp - interval '1 hour'`
    expect(ids(await newer(bound))).toContain(fourth!['id'])
    expect(ids(await newer(bound, zone))).not.toContain(fourth!['id'])
  })

  test('does not matter with delta.zone=text-comparison, which compares texts', async () => {
    expect(await newer("'z'", 'delta.zone=text-comparison')).toEqual([])
    expect(await answer(`${updates} `, 'delta.zone=text-comparison')).toBe(await answer(updates))
    expect(await answer("SELECT id FROM v_bioprocesses WHERE last_updated_at > 'z'")).toContain('"error"')
  })
})

test('variants of the data apply inside JSON values and in joins', async () => {
  const passed = await rows(
    `SELECT b.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id
     WHERE b.qc ->> 'status' = 'true' AND (t.statistics ->> 'count')::int > 1 LIMIT 1`,
    'qc.types=boolean,statistics.count=all',
  )
  expect(passed).toHaveLength(1)
})

test('a request may have several variants of the data', async () => {
  const both = 'events.discriminator=kind-time,induction.shape=event-record'
  const [row] = await rows(
    "SELECT events, induction_event AS own FROM v_bioprocesses WHERE name LIKE 'EC-%' LIMIT 1",
    both,
  )
  expect(row!['own']).toMatchObject({ kind: 'DbAdditionEvent', addition_type: 'Induction' })
  expect(row!['events']).toContainEqual(row!['own'])
})

test('concurrent requests have their own variants of the data', async () => {
  const mixed = Array.from({ length: 40 }, (_, index) => all[(index * 7) % all.length]!)
  const [passed] = await rows("SELECT id FROM v_bioprocesses WHERE qc ->> 'status' = 'Pass' LIMIT 1")
  const statement = `SELECT (qc ->> 'status') AS status FROM v_bioprocesses WHERE id = '${String(passed!['id'])}'`
  const answers = await Promise.all(
    mixed.flatMap(({ variant }) => [answer(statement, variant), answer(statement, 'qc.types=boolean')]),
  )
  answers.forEach((text, index) =>
    expect(text).toContain(
      index % 2 === 1 || mixed[index / 2]!.variant === 'qc.types=boolean' ? '"status":"true"' : '"status":',
    ),
  )
})

test('no visible row refers to a row that auth.permission=rows-filtered hides', async () => {
  const variant = 'auth.permission=rows-filtered'
  const children = views.filter(({ columns }) => columns.some(({ name }) => name === 'bioprocess_id'))
  for (const { name } of children) {
    const dangling = `${name} c LEFT JOIN v_bioprocesses b ON c.bioprocess_id = b.id WHERE b.id IS NULL`
    expect(await count(dangling, variant)).toBe(0)
    expect(await count(name, variant)).toBeLessThan(await count(name, ''))
  }
  const points = 'v_timeseries_data p LEFT JOIN v_timeseries t ON p.id = t.id WHERE t.id IS NULL'
  expect(await count(points, variant)).toBe(0)
  const parents = `v_bioprocesses b LEFT JOIN v_experiments e ON b.parent_id = e.id
    WHERE b.parent_id IS NOT NULL AND e.id IS NULL`
  expect(await count(parents, variant)).toBe(await count(parents, ''))
  expect(await count('v_experiments', variant)).toBe((await count('v_experiments', '')) - 1)
})

describe('the rights of the reader', () => {
  const variant = 'qc.types=boolean,schema.extra=additive,sql.accept=any'

  test.each([
    ['SELECT * FROM plant.bioprocesses', 'relation \\"plant.bioprocesses\\" does not exist'],
    ['SELECT * FROM pg_views', 'relation \\"pg_views\\" does not exist'],
    ["SELECT pg_get_viewdef('v_bioprocesses')", 'Error executing statement'],
    ['SELECT base.id FROM v_bioprocesses', 'Error executing statement'],
  ])('refuse with any variant: %s', async (statement, message) => {
    expect(await answer(statement, variant)).toContain(`"message":"${message}"`)
  })
})
