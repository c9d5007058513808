import { describe, expect, test } from 'vitest'
import type { ClientOptions } from '../options.ts'
import { clientOf, rejection, rows } from '../service.test-helper.ts'

const profile = (variants: Record<string, string>) => ({ profile: { contract: 'v1' as const, variants } })
const clientWith = (
  variants: Record<string, string>,
  data: unknown[] = [],
  more: Partial<ClientOptions> = {},
) => clientOf(() => rows(structuredClone(data)), { ...profile(variants), ...more })

describe('a profile', () => {
  test('sets the spelling of dates, which the option overrides', async () => {
    const since = { updatedAfter: '2025-12-01T08:00:00Z' }
    const { client, statements } = clientWith({ 'delta.literal': 'timestamp-keyword' })
    await client.views.v_timeseries.select(since)
    const other = clientWith({ 'delta.literal': 'timestamp-keyword' }, [], { dateLiteral: 'date-keyword' })
    await other.client.views.v_timeseries.select(since)
    expect([...statements(), ...other.statements()].map((text) => text.split('> ')[1])).toEqual([
      "TIMESTAMP '2025-12-01 08:00:00'",
      "DATE '2025-12-01'",
    ])
  })

  test('names all columns for a service whose rows are arrays', async () => {
    const { client, statements } = clientWith({ 'rows.shape': 'array' }, [
      ['r1', 'runs', '2025-12-01T00:00:00Z'],
    ])
    expect(await client.views.v_archived_records.select()).toEqual([
      { record_id: 'r1', table_name: 'runs', archived_at: '2025-12-01T00:00:00Z' },
    ])
    expect(statements()).toEqual(['SELECT record_id, table_name, archived_at FROM v_archived_records'])
  })

  test('leaves out a column that the service lacks, and rejects a request for it', async () => {
    const variants = { 'rows.shape': 'array', 'timeseries-data.last-updated-at': 'absent' }
    const { client, statements, sent } = clientWith(variants)
    await client.views.v_timeseries_data.select()
    expect(statements()).toEqual(['SELECT id, timestamp, value, data_item_id FROM v_timeseries_data'])
    const { v_timeseries_data } = client.views
    await expect(async () => v_timeseries_data.select({ columns: ['last_updated_at'] })).rejects.toThrow(
      /Leave it out/,
    )
    expect(await rejection(client.deltas('v_timeseries_data').next())).toMatchObject({
      name: 'ClientUsageError',
      message: expect.stringContaining('points()'),
    })
    expect(sent).toHaveLength(1)
  })

  test.each(['first', 'error'])(
    'reads two views in place of a join with rows.duplicates=%s',
    async (variant) => {
      const times = { start_timestamp: 'a', end_timestamp: 'b', duration_ms: 1, last_updated_at: 'c' }
      const series = { id: 't1', quantity_id: 'q1', unit: 'g', statistics: {}, ...times }
      const run = {
        id: 'b1',
        name: 'run 1',
        external_id: 'x',
        status: 'Draft',
        qc: {},
        data: [],
        events: [],
        attachments: [],
        ...times,
      }
      const { client, statements } = clientOf(
        (statement) =>
          rows(
            /FROM v_timeseries/.test(statement)
              ? [
                  { ...series, bioprocess_id: 'b1' },
                  { ...series, bioprocess_id: 'gone' },
                ]
              : [run],
          ),
        profile({ 'rows.duplicates': variant }),
      )
      const joined = await client.timeseriesWithBioprocess({ limit: 2 })
      expect(joined.map(({ id, name, bioprocess_id, unit }) => [id, name, bioprocess_id, unit])).toEqual([
        ['b1', 'run 1', 'b1', 'g'],
        [null, null, 'gone', 'g'],
      ])
      expect(statements()).toEqual(['SELECT * FROM v_timeseries LIMIT 2', 'SELECT * FROM v_bioprocesses'])
    },
  )

  test('reports an answer as long as the limit of the service as truncated', async () => {
    const row = { record_id: 'r', table_name: 't', archived_at: 'a' }
    const cut = (count: number) =>
      clientWith(
        { 'rows.max': 'cut-1000' },
        Array.from({ length: count }, () => row),
      ).client.views.v_archived_records
    expect(await cut(999).select()).toHaveLength(999)
    expect(await rejection(cut(1000).select())).toMatchObject({ name: 'TruncatedResult' })
  })

  test.each([
    ['upper', { EXTERNAL_ID: 'x', ID: 1 }],
    ['camel', { externalId: 'x', id: 1 }],
  ])('gives rows of any statement their documented names with rows.case=%s', async (variant, row) => {
    expect(await clientWith({ 'rows.case': variant }, [row]).client.query('SELECT 1')).toEqual([
      { external_id: 'x', id: 1 },
    ])
    expect(await clientOf(() => rows([row])).client.query('SELECT 1')).toEqual([row])
  })

  test('sends only documented statements to a service that accepts no others', async () => {
    const { client, statements } = clientWith({ 'sql.filters': 'refused' })
    for await (const _ of client.points({ series: 's1', from: '2025-12-01' })) void _
    for await (const _ of client.deltas('v_formulas', { paging: 'keyset' })) void _
    expect(statements()).toEqual(['SELECT * FROM v_timeseries_data', 'SELECT * FROM v_formulas'])
  })

  test.each([
    [{ contract: 'v2', variants: {} }, /version v2; this client speaks v1/],
    [{ contract: 'v1' }, /has no variants/],
    [[], /profile is of the type array/],
    [null, /profile is of the type null/],
  ])('that is %j is rejected', (given, message) => {
    expect(() => clientOf(() => rows([]), { profile: given as never })).toThrow(message)
  })

  test('with variants that this version does not know changes nothing', async () => {
    const { client, statements } = clientWith({
      'rows.shape': 'xml',
      'rows.nope': 'x',
      'delta.literal': 'julian',
    })
    await client.views.v_formulas.select({ updatedAfter: '2025-12-01' })
    expect(statements()).toEqual(["SELECT * FROM v_formulas WHERE last_updated_at > '2025-12-01'"])
  })
})

describe('keys in another form', () => {
  const documented = { record_id: 'r', table_name: 't', archived_at: 'a' }

  test.each([
    ['upper case', { RECORD_ID: 'r', TABLE_NAME: 't', ARCHIVED_AT: 'a' }],
    ['camel case', { recordId: 'r', tableName: 't', archivedAt: 'a' }],
    [
      'the name of the view',
      {
        'v_archived_records.record_id': 'r',
        'v_archived_records.table_name': 't',
        'v_archived_records.archived_at': 'a',
      },
    ],
  ])('are read by their documented names without a profile: %s', async (_, row) => {
    expect(await clientOf(() => rows([row, row])).client.views.v_archived_records.select()).toEqual([
      documented,
      documented,
    ])
  })

  test('of further columns stay, also if they resemble a documented one', async () => {
    // without the columns that may be null, the names have to be compared
    const row = { id: 'e', external_id: 'x', externalId: 'another', last_updated_at: 'a', tenantId: 7 }
    const [found] = await clientOf(() => rows([row])).client.views.v_experiments.select()
    expect(found).toMatchObject(row)
  })
})
