import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRows } from '../../../invariants/tables.test-helper.ts'
import { contract, ddl, views, type ViewDefinition } from '../../../schemas/index.ts'

const database = new PGlite()
beforeAll(() => database.exec(ddl))
afterAll(() => database.close())

const types = {
  text: 'text',
  timestamptz: 'timestamp with time zone',
  float8: 'double precision',
  numeric: 'numeric',
  boolean: 'boolean',
  jsonb: 'jsonb',
}

describe('the DDL', () => {
  test('creates the nine views and no other relation outside plant', async () => {
    const { rows } = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...contract.views].toSorted())
  })

  test.each(views)('gives $name its columns in order with their types', async ({ name, columns }) => {
    const { rows } = await columnsOf('public', name)
    expect(rows.map(({ column, type }) => [column, type])).toEqual(
      columns.map(({ name, postgres }) => [name, types[postgres]]),
    )
  })

  test.each(views)('allows null in exactly the nullable columns of $table', async ({ table, columns }) => {
    const { rows } = await columnsOf('plant', table)
    expect(rows.filter(({ nullable }) => nullable === 'YES').map(({ column }) => column)).toEqual(
      columns.filter(({ nullable, optional }) => nullable || optional).map(({ name }) => name),
    )
  })

  test.each(views)('returns a row of $name unchanged', async (view) => {
    const row = sampleRows[view.name] as unknown as Record<string, unknown>
    await insert(view, row)
    // row_to_json prints microseconds, which the Date of the driver would lose.
    const { rows } = await database.query<{ json: object }>(
      `SELECT row_to_json(v) AS json FROM ${view.name} v`,
    )
    expect(rows).toEqual([{ json: row }])
  })

  test.each(views.filter(({ name }) => (contract.uniqueIds as readonly string[]).includes(name)))(
    'refuses a second row of $name with the same id',
    async (view) => {
      await expect(
        insert(view, sampleRows[view.name] as unknown as Record<string, unknown>),
      ).rejects.toMatchObject({
        code: '23505',
      })
    },
  )

  test('allows many points in a series', async () => {
    const view = views.find(({ name }) => name === 'v_timeseries_data')!
    await insert(view, { ...sampleRows.v_timeseries_data, value: 0.1 })
    const { rows } = await database.query(`SELECT value FROM v_timeseries_data WHERE id = 't1'`)
    expect(rows).toEqual([{ value: null }, { value: 0.1 }])
  })
})

function columnsOf(schema: string, table: string) {
  return database.query<{ column: string; type: string; nullable: string }>(
    `SELECT column_name AS column, data_type AS type, is_nullable AS nullable FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position`,
    [schema, table],
  )
}

function insert({ table, columns }: ViewDefinition, row: Record<string, unknown>) {
  const values = columns.map(({ name, postgres }) =>
    postgres === 'jsonb' && row[name] !== null ? JSON.stringify(row[name]) : row[name],
  )
  const places = columns.map(({ postgres }, index) => `$${index + 1}::text::${postgres}`)
  return database.query(`INSERT INTO plant.${table} VALUES (${places.join(', ')})`, values)
}
