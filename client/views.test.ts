import { describe, expect, test } from 'vitest'
import { tableColumns } from '../schemas/views.ts'
import { clientOf, rejection, rows } from './service.test-helper.ts'

describe('views', () => {
  test('select sends documented statements', async () => {
    const { client, statements } = clientOf(() => rows([]))
    const { v_bioprocesses, v_timeseries, v_archived_records } = client.views
    await v_archived_records.select()
    await v_bioprocesses.select({ columns: ['id', 'name'], limit: 20 })
    await v_bioprocesses.select({ updatedAfter: '2025-12-01' })
    await v_bioprocesses.select({ updatedAfter: new Date(0), limit: 0 })
    await v_timeseries.select({ updatedAfter: { newestOf: 'v_bioprocesses' } })
    await client.timeseriesWithBioprocess()
    await client.timeseriesWithBioprocess({ limit: 5 })
    expect(statements()).toEqual([
      'SELECT * FROM v_archived_records',
      'SELECT id, name FROM v_bioprocesses LIMIT 20',
      "SELECT * FROM v_bioprocesses WHERE last_updated_at > '2025-12-01'",
      "SELECT * FROM v_bioprocesses WHERE last_updated_at > '1970-01-01T00:00:00.000Z' LIMIT 0",
      'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
      'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
      'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id LIMIT 5',
    ])
  })

  test('select returns omitted columns as null and rejects rows without a required column', async () => {
    const data = [{ id: 'a', external_id: 'b', last_updated_at: '2025-12-01T00:00:00Z', tenant: 1 }]
    const { client } = clientOf(() => rows(structuredClone(data)))
    const nulls = Object.fromEntries(tableColumns('v_experiments').map(({ name }) => [name, null]))
    expect(await client.views.v_experiments.select()).toEqual([{ ...nulls, ...data[0] }])
    expect(await rejection(client.views.v_formulas.select({ columns: ['id', 'name'] }))).toMatchObject({
      name: 'UnexpectedAnswer',
      message:
        'A row lacks name, which is never null; its keys are id, external_id, last_updated_at, tenant. Read such rows with query().',
    })
  })

  test('select filters the older rows of a coarser date literal', async () => {
    const times = ['2025-12-01T07:59:59.9Z', '2025-12-01T08:00:00.5+00:00', '2025-12-01T08:00:00.6Z']
    const service = () => rows(times.map((last_updated_at, n) => ({ id: String(n), last_updated_at })))
    for (const [dateLiteral, literal] of [
      ['quoted-date', "'2025-12-01'"],
      ['iso-date-time', "'2025-12-01T08:00:00Z'"],
      ['space-date-time', "'2025-12-01 08:00:00'"],
      ['date-keyword', "DATE '2025-12-01'"],
      ['timestamp-keyword', "TIMESTAMP '2025-12-01 08:00:00'"],
    ] as const) {
      const { client, statements } = clientOf(service, { dateLiteral })
      const updatedAfter = '2025-12-01T09:00:00.5+01:00'
      const found = await client.views.v_quantities.select({
        columns: ['id', 'last_updated_at'],
        updatedAfter,
      })
      expect(found.map(({ id }) => id)).toEqual(['2'])
      expect(statements()[0]).toMatch(new RegExp(`> ${literal}$`))
    }
  })

  test('select keeps a row whose printed time may be truncated', async () => {
    const times = ['2025-12-01T07:59:59Z', '2025-12-01T08:00:00Z', '2025-12-01T08:00:01Z']
    const { client } = clientOf(
      () => rows(times.map((last_updated_at, n) => ({ id: String(n), last_updated_at }))),
      { dateLiteral: 'quoted-date' },
    )
    const columns = ['id', 'last_updated_at'] as const
    const after = (updatedAfter: string) => client.views.v_quantities.select({ columns, updatedAfter })
    expect((await after('2025-12-01T08:00:00.5Z')).map(({ id }) => id)).toEqual(['1', '2'])
    expect((await after('2025-12-01T08:00:00Z')).map(({ id }) => id)).toEqual(['2'])
  })
})
