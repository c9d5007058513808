import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import type { Duration } from '../../base/time/duration.ts'
import { runRows } from '../../fixtures/factories/run-rows.ts'
import { validators } from '../../schemas/generated/validators.ts'
import { createMock } from '../msw/index.ts'
import { type Server, startServer } from '../node/server.ts'
import { connectSession } from './connect-session.ts'
import { ControlError, type SessionControl } from './session.ts'

let server: Server
let session: SessionControl
beforeAll(async () => {
  server = await startServer({ scale: 0.01, tokens: ['secret'], basePath: '/plant-1', adminToken: 'admin' })
})
afterAll(() => server.close())
beforeEach(() => {
  session = server.session()
})

/** Runs a statement in the session, or without one. */
const ask = async (statement: string, baseUrl = session.baseUrl) => {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  return ((await response.json()) as { data: Record<string, unknown>[] }).data
}
const failureOf = (change: Promise<unknown>) => change.then(String, (error: unknown) => error)
const refused = (message: RegExp) =>
  expect.objectContaining({ name: 'ControlError', status: 400, message: expect.stringMatching(message) })

const start = '2025-12-31T08:00:00Z'
const run = (id = 'run-1') =>
  runRows({
    id,
    status: 'In-progress',
    run_start_timestamp: start,
    series: { OD600: { 0: 0.1, 2: 0.9, 4.5: 4.2 } },
  })
const ofRun = (view: string, column = 'bioprocess_id', id = 'run-1') =>
  `SELECT * FROM ${view} WHERE ${column} = '${id}'`

const point = (time: string, value: number) => ({
  id: 'run-1/OD600',
  timestamp: `2025-12-31T${time}Z`,
  value,
})

/** A series of a quantity of this name. */
const series = (id: string, name: string) => ({ id, bioprocess_id: 'run-1', quantity_id: { name } })

/** An array of as many levels. */
const nested = (levels: number): unknown[] => (levels === 1 ? [] : [nested(levels - 1)])

/** A time that is spelled in one of two ways. */
const timestampOf = ({ hour, shifted }: { hour: number; shifted: boolean }) =>
  shifted ? `2025-12-31T${11 + hour}:00:00.000+01:00` : `2025-12-31T${10 + hour}:00:00Z`

describe('rows of a session', () => {
  test('are valid rows made of few values, and others do not see them', async () => {
    expect(await session.rows.put(run())).toEqual({
      v_bioprocesses: 1,
      v_timeseries: 1,
      v_timeseries_data: 3,
    })
    const [row] = await ask(ofRun('v_bioprocesses', 'id'))
    expect(row).toMatchObject({
      id: 'run-1',
      status: 'In-progress',
      run_end_timestamp: null,
      duration_ms: 57_600_000,
    })
    expect(validators['views/v_bioprocesses'](row)).toBe(true)
    const [series] = await ask(ofRun('v_timeseries'))
    expect(series).toMatchObject({
      id: 'run-1/OD600',
      start_timestamp: '2025-12-31T08:00:00.000000+00:00',
      end_timestamp: '2025-12-31T12:30:00.000000+00:00',
      duration_ms: 16_200_000,
      unit: 'AU',
      statistics: { count: 3, min: 0.1, max: 4.2, first: 0.1, last: 4.2 },
    })
    expect(await ask(ofRun('v_bioprocesses', 'id'), server.baseUrl)).toEqual([])
    expect(await ask(ofRun('v_bioprocesses', 'id'), server.session().baseUrl)).toEqual([])
  })

  test('are read by the typed client, and a delta has what was put since', async () => {
    await session.rows.put(run())
    const client = createClient({ baseUrl: session.baseUrl, token: 'secret' })
    const rows = await client.views.v_bioprocesses.select({ updatedAfter: '2026-01-01T00:00:00Z' })
    expect(rows.map(({ id }) => id)).toEqual(['run-1'])
    const since = '2026-01-01T00:00:00Z'
    const newer = await ask(
      `SELECT id, value FROM v_timeseries_data WHERE last_updated_at > '${since}' ORDER BY timestamp`,
    )
    expect(newer.map(({ value }) => value)).toEqual([0.1, 0.9, 4.2])
    const [{ last }] = (await ask(`SELECT max(last_updated_at)::text AS last FROM v_timeseries_data`)) as [
      { last: string },
    ]
    await session.rows.put({
      v_timeseries_data: [{ id: 'run-1/OD600', timestamp: '2025-12-31T14:00:00Z', value: 9.5 }],
    })
    expect(await ask(`SELECT value FROM v_timeseries_data WHERE last_updated_at > '${last}'`)).toEqual([
      { value: 9.5 },
    ])
    const [series] = await ask(ofRun('v_timeseries'))
    expect(series).toMatchObject({
      statistics: { count: 4, last: 9.5 },
      end_timestamp: '2025-12-31T14:00:00.000000+00:00',
    })
  })

  test('have a new time if they are read, changed and put back', async () => {
    for (const change of ['put', 'patch'] as const) {
      const [row] = (await ask('SELECT * FROM v_quantities ORDER BY id LIMIT 1')) as [Record<string, string>]
      await session.rows[change]({ v_quantities: [{ ...row, notes: change }] } as never)
      expect(
        await ask(
          `SELECT notes FROM v_quantities WHERE last_updated_at > '${row['last_updated_at']}' AND notes = '${change}'`,
        ),
      ).toEqual([{ notes: change }])
    }
    const last_updated_at = '2020-01-01T00:00:00Z'
    const [row] = (await ask('SELECT id FROM v_quantities ORDER BY id LIMIT 1')) as [{ id: string }]
    await session.rows.patch({ v_quantities: [{ id: row.id, last_updated_at }] })
    expect(
      await ask(
        `SELECT id FROM v_quantities WHERE id = '${row.id}' AND last_updated_at = '${last_updated_at}'`,
      ),
    ).toEqual([row])
  })

  test('change the columns that follow from a changed one', async () => {
    const [result] = (await ask(
      'SELECT id, formula_id, bioprocess_id FROM v_formula_results WHERE timeseries IS NOT NULL ORDER BY id LIMIT 1',
    )) as [Record<string, string>]
    const columns =
      'data, timeseries_statistics_count AS count, timeseries_statistics_max AS max, timeseries_statistics_standard_deviation AS deviation'
    const statistics = (id = result['id']!) =>
      ask(`SELECT ${columns} FROM v_formula_results WHERE id = '${id}'`)
    await session.rows.patch({
      v_formula_results: [{ id: result['id']!, timeseries: { data: [1, 3], times_ms: [0, 1000] } }],
    })
    const changed = { data: null, count: 2, max: 3, deviation: Math.SQRT2 }
    expect(await statistics()).toEqual([changed])
    await session.clock.advance('1h')
    expect(await statistics()).toEqual([changed])
    for (const data of [[5], []]) {
      await session.rows.put({
        v_formula_results: [{ ...result, id: 'one', timeseries: { data, times_ms: data } }],
      } as never)
      expect(await statistics('one')).toEqual([
        { data: null, count: data.length, max: data[0] ?? 0, deviation: 0 },
      ])
    }
    const [run] = (await ask(
      "SELECT id, run_start_timestamp AS start FROM v_bioprocesses WHERE status = 'Completed' ORDER BY id LIMIT 1",
    )) as [{ id: string; start: string }]
    const run_end_timestamp = new Date(Date.parse(run.start) + 90_000).toISOString()
    await session.rows.patch({ v_bioprocesses: [{ id: run.id, run_end_timestamp }] })
    expect(await ask(`SELECT duration_ms FROM v_bioprocesses WHERE id = '${run.id}'`)).toEqual([
      { duration_ms: 90_000 },
    ])
  })

  test('change column by column', async () => {
    const [before] = (await ask('SELECT * FROM v_bioprocesses ORDER BY id LIMIT 1')) as [
      Record<string, string>,
    ]
    await session.rows.patch({ v_bioprocesses: [{ id: before['id']!, name: 'Renamed' }] })
    const [after] = (await ask(ofRun('v_bioprocesses', 'id', before['id']!))) as [Record<string, string>]
    expect(after).toEqual({ ...before, name: 'Renamed', last_updated_at: after['last_updated_at'] })
    expect(after['last_updated_at']! > before['last_updated_at']!).toBe(true)
    expect(await failureOf(session.rows.patch({ v_bioprocesses: [{ id: 'nobody', name: 'x' }] }))).toEqual(
      refused(/v_bioprocesses has no row "nobody" to change/),
    )
  })

  test('are removed with those that refer to them, and are archived', async () => {
    await session.rows.put(run())
    await session.rows.remove({ v_bioprocesses: ['run-1'] })
    for (const [view, column, id] of [
      ['v_bioprocesses', 'id', 'run-1'],
      ['v_timeseries', 'bioprocess_id', 'run-1'],
      ['v_timeseries_data', 'id', 'run-1/OD600'],
    ] as const)
      expect(await ask(ofRun(view, column, id))).toEqual([])
    expect(
      await ask(
        "SELECT record_id, table_name FROM v_archived_records WHERE record_id LIKE 'run-1%' ORDER BY 1",
      ),
    ).toEqual([
      { record_id: 'run-1', table_name: 'bioprocesses' },
      { record_id: 'run-1/OD600', table_name: 'timeseries' },
    ])
  })

  test('are removed point by point', async () => {
    await session.rows.put(run())
    await session.rows.remove({
      v_timeseries_data: [{ id: 'run-1/OD600', timestamp: '2025-12-31T10:00:00+00:00' }],
    })
    expect(
      await ask("SELECT value FROM v_timeseries_data WHERE id = 'run-1/OD600' ORDER BY timestamp"),
    ).toEqual([{ value: 0.1 }, { value: 4.2 }])
    expect((await ask(ofRun('v_timeseries')))[0]).toMatchObject({ statistics: { count: 2 } })
  })

  test.each([
    [{ v_plants: [] }, /There is no view v_plants\. The views are: v_bioprocesses/],
    [{ v_bioprocesses: {} }, /v_bioprocesses is not an array/],
    [{ v_bioprocesses: [7] }, /v_bioprocesses\[0\] is not an object/],
    [
      { v_bioprocesses: [{ id: 'a', colour: 1 }] },
      /v_bioprocesses\[0\] has no column colour\. The columns are: id/,
    ],
    [{ v_bioprocesses: [{ name: 'a' }] }, /v_bioprocesses\[0\] .*id/],
    [
      { v_bioprocesses: [{ id: 'a', duration_ms: 'long' }] },
      /v_bioprocesses\[0\] duration_ms must be number/,
    ],
    [
      { v_bioprocesses: [{ id: 'a', run_start_timestamp: 'yesterday' }] },
      /^v_bioprocesses\[0\]\.run_start_timestamp is "yesterday"/,
    ],
    [
      { v_bioprocesses: [{ id: 'a', parent_id: 'x' }] },
      /parent_id refers to "x", which is not in v_experiments\. Put that row too/,
    ],
    [
      { v_timeseries: [{ id: 'a', bioprocess_id: 'x', quantity_id: { name: 'Zorg' } }] },
      /no row of v_quantities has these values/,
    ],
    [
      { v_timeseries: [{ id: 'a', bioprocess_id: 'x', quantity_id: { colour: 'red' } }] },
      /no row of v_quantities has these values/,
    ],
    [
      { v_timeseries: [{ id: 'a', bioprocess_id: 'x', quantity_id: { default_unit: '%' } }] },
      /more than one row of v_quantities/,
    ],
    [
      { v_timeseries_data: [{ id: 'x', timestamp: '2026-01-01T00:00:00Z', value: 1 }] },
      /v_timeseries_data\.id refers to "x"/,
    ],
    [
      { v_quantities: [{ id: 'a' }, { id: 'b', notes: 'nul \0' }] },
      /^v_quantities\[1\]\.notes contains a character that PostgreSQL cannot store/,
    ],
    [{ v_experiments: [{ id: '\ud800' }] }, /^v_experiments\[0\]\.id contains a character/],
    [
      { v_bioprocesses: [{ id: 'a', qc: { status: '\udc00', failure_mode: null } }] },
      /^v_bioprocesses\[0\]\.qc c/,
    ],
    [
      { v_timeseries: [{ id: 'a', bioprocess_id: 'x', quantity_id: { name: '\ud800' } }] },
      /^v_timeseries\[0\]\.quantity_id contains a character/,
    ],
    [
      { v_bioprocesses: [{ id: 'a', attachments: nested(101) }] },
      /^v_bioprocesses\[0\]\.attachments\[0\].*… is nested more/,
    ],
    [
      { v_quantities: [{ id: 'a', molar_mass: NaN }] },
      /^v_quantities\[0\]\.molar_mass is NaN, which JSON does not/,
    ],
    [
      { v_quantities: [{ id: 'a', base_units: { l: -Infinity } }] },
      /^v_quantities\[0\]\.base_units\.l is -Infinity/,
    ],
    [{ v_quantities: [{ id: 'a', molar_mass: 5n }] }, /^v_quantities\[0\]\.molar_mass is the BigInt 5, /],
  ])('that break the rule of case %# are refused, and nothing changes', async (rows, message) => {
    await session.rows.put(run())
    const all = { v_experiments: [{ id: 'new' }], ...rows } as never
    expect(await failureOf(session.rows.put(all))).toEqual(refused(message))
    expect(await ask(ofRun('v_experiments', 'id', 'new'))).toEqual([])
    expect(await ask(ofRun('v_bioprocesses', 'id'))).toHaveLength(1)
  })

  test.each([[[]], [null], [7]])('are an object by view, and not %j', async (rows) => {
    expect(await failureOf(session.rows.put(rows as never))).toEqual(refused(/The rows are not an object/))
  })

  test.each(['nonsense', 'infinity', 'Dec 31 2025', 5, null])(
    'are not removed by the timestamp %j',
    async (timestamp) => {
      await session.rows.put(run())
      const key = { id: 'run-1/OD600', timestamp } as { id: string; timestamp: string }
      expect(await failureOf(session.rows.remove({ v_timeseries_data: [key] }))).toEqual(
        refused(/timestamp is .*Write 2025-03-01T08:12:00Z|has the timestamp .*Write it as text/),
      )
    },
  )

  test('have their times in UTC if they name no zone', async () => {
    await session.rows.put(run())
    const timestamps = ['2026-01-02', '2026-01-01T10:00:00']
    await session.rows.put({
      v_timeseries_data: timestamps.map((timestamp) => ({ id: 'run-1/OD600', timestamp, value: 1 })),
    })
    expect((await ask(ofRun('v_timeseries')))[0]).toMatchObject({
      end_timestamp: '2026-01-02T00:00:00.000000+00:00',
      statistics: { count: 5 },
    })
  })

  test.each([
    [
      'PUT',
      '{"v_quantities": [{"id": "a"}, {"id": "b", "molar_mass": 1e999}]}',
      'v_quantities[1].molar_mass is Infinity',
    ],
    [
      'PUT',
      '{"v_quantities": [{"id": "a", "base_units": {"l": 1e999}}]}',
      'v_quantities[0].base_units.l is Inf',
    ],
    ['PATCH', '{"v_experiments": [{"id": "\\ud800"}]}', 'v_experiments[0].id contains a character'],
    ['DELETE', '{"v_experiments": ["\\ud800"]}', 'v_experiments[0].id contains a character'],
    ['DELETE', '{"v_experiments": ["a", "\\u0000"]}', 'v_experiments[1].id contains a character'],
    [
      'PUT',
      `{"v_bioprocesses": [{"id": "a", "attachments": ${'['.repeat(5000)}${']'.repeat(5000)}}]}`,
      'is nested more',
    ],
  ])('that %s cannot store are refused over HTTP, case %#', async (method, body, message) => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' }
    const init = { method, headers, body }
    const response = await fetch(`${server.baseUrl}/s/${session.id}/_mock/rows`, init)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)])
  })

  test('that are removed have to exist', async () => {
    expect(await failureOf(session.rows.remove({ v_bioprocesses: ['nobody'] }))).toEqual(
      refused(/v_bioprocesses has no row "nobody"/),
    )
  })

  test('refer by name to rows of the same change, which take the place of those before', async () => {
    await session.rows.put({ ...run(), v_quantities: [{ id: 'q-1', name: 'Own', default_unit: 'bar' }] })
    await session.rows.put({
      v_quantities: [
        { id: 'q-1', name: 'Other' },
        { id: 'q-2', name: 'Own', default_unit: 'psi' },
        { id: 'q-3' },
      ],
      v_timeseries: [series('t-1', 'Own'), series('t-2', 'Other'), series('t-3', 'q-3')],
    })
    expect(
      await ask("SELECT id, quantity_id, unit FROM v_timeseries WHERE id LIKE 't-%' ORDER BY id"),
    ).toEqual([
      { id: 't-1', quantity_id: 'q-2', unit: 'psi' },
      { id: 't-2', quantity_id: 'q-1', unit: '' },
      { id: 't-3', quantity_id: 'q-3', unit: '' },
    ])
    expect(
      await failureOf(
        session.rows.put({
          v_quantities: [{ id: 'q-4', name: 'Own' }],
          v_timeseries: [series('t-4', 'Own')],
        }),
      ),
    ).toEqual(refused(/and more than one row of v_quantities has these values/))
  })

  test('that are named twice in a change are changed or removed once', async () => {
    await session.rows.put({ ...run(), v_quantities: [{ id: 'twice' }] })
    await session.rows.patch({
      v_quantities: [
        { id: 'twice', name: 'Twice' },
        { id: 'twice', notes: 'noted' },
      ],
    })
    expect(await ask("SELECT name, notes FROM v_quantities WHERE id = 'twice'")).toEqual([
      { name: 'Twice', notes: 'noted' },
    ])
    expect(await session.rows.remove({ v_quantities: ['twice', 'twice'] })).toEqual({
      v_quantities: 1,
      v_archived_records: 1,
    })
    const key = { id: 'run-1/OD600', timestamp: start }
    const same = { ...key, timestamp: '2025-12-31T09:00:00+01:00' }
    expect(await session.rows.remove({ v_timeseries_data: [key, same] })).toEqual({ v_timeseries_data: 1 })
  })

  test('that are put again after they were removed are no longer archived', async () => {
    await session.rows.put({ v_quantities: [{ id: 'again' }] })
    await session.rows.remove({ v_quantities: ['again'] })
    const archived = "SELECT count(*) FROM v_archived_records WHERE record_id = 'again'"
    expect(await ask(archived)).toEqual([{ count: 1 }])
    await session.rows.put({ v_quantities: [{ id: 'again' }] })
    expect(await ask(archived)).toEqual([{ count: 0 }])
  })

  test('are counted by row when a series or a run is removed', async () => {
    await session.rows.put(run())
    expect(await session.rows.remove({ v_timeseries_data: ['run-1/OD600'] })).toEqual({
      v_timeseries_data: 3,
    })
    await session.rows.put(run())
    expect(await session.rows.remove({ v_bioprocesses: ['run-1'] })).toMatchObject({
      v_bioprocesses: 1,
      v_timeseries_data: 3,
    })
  })

  test('whose sum is not finite are refused', async () => {
    await session.rows.put(run())
    const huge = ['11:00:00', '12:00:00'].map((time) => point(time, 1e308))
    expect(await failureOf(session.rows.put({ v_timeseries_data: huge }))).toEqual(
      refused(/The sum of the values of "run-1\/OD600" is not finite/),
    )
    const [result] = (await ask('SELECT * FROM v_formula_results WHERE timeseries IS NULL LIMIT 1')) as [
      object,
    ]
    const own = { ...result, id: 'r1', timeseries: { data: [1e308, 1e308], times_ms: [0, 1000] } }
    const columns = Object.entries(own).filter(([name]) => !name.startsWith('timeseries_'))
    expect(
      await failureOf(
        session.rows.put({ v_formula_results: [{ ...Object.fromEntries(columns), data: null }] }),
      ),
    ).toEqual(refused(/v_formula_results\[0\].*sum/))
  })

  test('with a time that the database does not read are refused with their place', async () => {
    const rows = {
      v_timeseries_data: [
        point('10:00:00', 1),
        { ...point('10:00:00', 1), timestamp: '0000-01-01T00:00:00Z' },
      ],
    }
    expect(await failureOf(session.rows.put(rows))).toEqual(
      refused(/^v_timeseries_data\[1\]\.timestamp is "0000-01-01T00:00:00Z", which PostgreSQL does not read/),
    )
  })

  test('of a series keep the statistics of its points', async () => {
    const [before] = (await ask('SELECT * FROM v_timeseries ORDER BY id LIMIT 1')) as [Record<string, string>]
    const { id, bioprocess_id, quantity_id } = before
    await session.rows.put({
      v_timeseries: [{ id: id!, bioprocess_id: bioprocess_id!, quantity_id: quantity_id! }],
    })
    const [after] = await ask(`SELECT * FROM v_timeseries WHERE id = '${id}'`)
    const stamp = { last_updated_at: after!['last_updated_at'] }
    expect(after).toEqual({ ...before, ...stamp })
  })

  test('that are points of one series differ by the microsecond', async () => {
    await session.rows.put(run())
    await session.rows.put({
      v_timeseries_data: [
        point('12:30:00.000002', 7),
        point('12:30:00.000001', 6),
        point('09:00:00', 0.5),
        point('08:00:00', 0.2),
        point('08:00:00.000000', 0.3),
      ],
    })
    expect(
      await ask("SELECT value FROM v_timeseries_data WHERE id = 'run-1/OD600' ORDER BY timestamp"),
    ).toEqual([0.3, 0.5, 0.9, 4.2, 6, 7].map((value) => ({ value })))
    expect((await ask(ofRun('v_timeseries')))[0]).toMatchObject({
      statistics: { count: 6, first: 0.3, last: 7 },
      start_timestamp: '2025-12-31T08:00:00.000000+00:00',
      end_timestamp: '2025-12-31T12:30:00.000002+00:00',
      duration_ms: 16_200_000.002,
    })
  })

  test('that are points decide the statistics of their series, after any changes', async () => {
    const times = fc.record({ hour: fc.integer({ min: 0, max: 5 }), shifted: fc.boolean() })
    const value = fc.option(fc.integer({ min: -5, max: 5 }))
    const change = fc.oneof(
      fc.record({ put: fc.array(fc.tuple(times, value), { minLength: 1, maxLength: 4 }) }),
      fc.record({ remove: fc.option(times) }),
    )
    const id = 'run-1/OD600'
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
        const own = server.session()
        const askOwn = (statement: string) => ask(statement, own.baseUrl)
        await own.rows.put(run())
        for (const one of changes)
          if ('put' in one)
            await own.rows.put({
              v_timeseries_data: one.put.map(([time, of]) => ({
                id,
                timestamp: timestampOf(time),
                value: of,
              })),
            })
          else {
            const key = one.remove === null ? id : { id, timestamp: timestampOf(one.remove) }
            const [{ count }] = (await askOwn(
              `SELECT count(*) FROM v_timeseries_data WHERE id = '${id}'`,
            )) as [{ count: number }]
            if (count > 0) await own.rows.remove({ v_timeseries_data: [key] })
          }
        const [expected] = await askOwn(
          `SELECT count(value), coalesce(sum(value), 0) AS sum, min(value), max(value),
             (array_agg(value ORDER BY timestamp) FILTER (WHERE value IS NOT NULL))[1] AS first,
             (array_agg(value ORDER BY timestamp DESC) FILTER (WHERE value IS NOT NULL))[1] AS last
           FROM v_timeseries_data WHERE id = '${id}'`,
        )
        const [series] = await askOwn(ofRun('v_timeseries'))
        expect(series!['statistics']).toMatchObject(expected!)
        const [span] = await askOwn(
          `SELECT min(timestamp) AS start_timestamp, max(timestamp) AS end_timestamp FROM v_timeseries_data
           WHERE id = '${id}' HAVING count(*) > 0`,
        )
        expect(series).toMatchObject(span ?? {})
        await own.end()
      }),
      { numRuns: 25 },
    )
  })

  test('that are points of a series of the plant update its statistics', async () => {
    const [series] = (await ask('SELECT * FROM v_timeseries ORDER BY id LIMIT 1')) as [
      { id: string; end_timestamp: string; statistics: { count: number } },
    ]
    const { id, end_timestamp, statistics } = series
    await session.rows.put({ v_timeseries_data: [{ id, timestamp: end_timestamp, value: 1e6 }] })
    const [after] = await ask(ofRun('v_timeseries', 'id', id))
    expect(after).toMatchObject({
      end_timestamp,
      statistics: { count: statistics.count, max: 1e6, last: 1e6 },
    })
  })

  test('changed at the same time do not mix', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => session.rows.put(run(`run-${n}`))))
    expect(await ask("SELECT count(*) FROM v_timeseries_data WHERE id LIKE 'run-%'")).toEqual([{ count: 24 }])
    const stamps = await ask("SELECT DISTINCT last_updated_at FROM v_bioprocesses WHERE id LIKE 'run-%'")
    expect(stamps).toHaveLength(8)
  })
})

/** What `now()` tells, in milliseconds since 1970. */
const told = async () => Date.parse(((await ask('SELECT now() AS told')) as [{ told: string }])[0].told)

describe('the time of a session', () => {
  test('moves the rows as the plant moves', async () => {
    expect(await session.clock.now()).toBe('2026-01-01T00:00:00.000000+00:00')
    const later = "SELECT count(*) FROM v_timeseries_data WHERE last_updated_at > '2026-01-01T00:00:00Z'"
    expect(await ask(later)).toEqual([{ count: 0 }])
    expect(await session.clock.advance('12h')).toBe('2026-01-01T12:00:00.000000+00:00')
    const [{ count }] = (await ask(later)) as [{ count: number }]
    expect(count).toBeGreaterThan(10)
    expect(await ask(later, server.baseUrl)).toEqual([{ count: 0 }])
    await session.clock.set('2026-01-02T00:00:00Z')
    expect(((await ask(later)) as [{ count: number }])[0].count).toBeGreaterThan(count)
    expect(await failureOf(session.clock.set('2026-01-01T00:00:00Z'))).toEqual(refused(/cannot go back/))
    await session.reset()
    expect(await ask(later)).toEqual([{ count: 0 }])
  })

  test('is what now() tells, each session its own at the same time', async () => {
    const others = [server.session(), server.session(), server.session()]
    const times = await Promise.all(others.map(({ clock }, n) => clock.advance(`${n}h`)))
    const asked = Array.from({ length: 24 }, (_, n) =>
      ask('SELECT now() AS told FROM v_quantities LIMIT 1', others[n % 3]!.baseUrl),
    )
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => [{ told: times[n % 3] }]))
    expect(await ask('SELECT now() AS told', server.baseUrl)).toEqual([{ told: times[0] }])
    for (const { baseUrl } of others)
      expect(
        await ask(
          "SELECT count(*) > 10 AS many FROM v_timeseries_data WHERE last_updated_at > now() - interval '1 hour'",
          baseUrl,
        ),
      ).toEqual([{ many: true }])
  })

  test('is what now() tells while it runs, and after it was set', async () => {
    await session.clock.run(100_000)
    const first = await told()
    await sleep(300)
    expect(await told()).toBeGreaterThanOrEqual(first + 20_000_000)
    await session.clock.run(0)
    await session.clock.set('2026-02-01T00:00:00Z')
    expect(await told()).toBe(Date.parse('2026-02-01T00:00:00Z'))
  })

  test('is not before a row that was put, so a condition up to now() finds it', async () => {
    await session.rows.put({ v_quantities: [{ id: 'q-1' }] })
    expect(await ask("SELECT id FROM v_quantities WHERE id = 'q-1' AND last_updated_at <= now()")).toEqual([
      { id: 'q-1' },
    ])
  })

  test('moves on while no statement is sent, and stands still again', async () => {
    await session.clock.run(100_000)
    const now = async () => Date.parse(await session.clock.now())
    await expect.poll(now, { timeout: 10_000 }).toBeGreaterThan(Date.parse('2026-01-02T00:00:00Z'))
    const shown = await session.clock.now()
    const [{ newest }] = (await ask('SELECT max(last_updated_at) AS newest FROM v_timeseries_data')) as [
      { newest: string },
    ]
    expect(Date.parse(newest)).toBeGreaterThan(Date.parse(shown) - 3_600_000)
    const frozen = await session.clock.run(0)
    expect(await session.clock.now()).toBe(frozen)
  })

  test('can be advanced while it runs, and statements go on', async () => {
    await session.clock.run(1000)
    await session.clock.advance('4h')
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      await sleep(250)
      expect(await ask(`SELECT ${n} AS n`)).toEqual([{ n }])
      times.push(Date.parse(await session.clock.now()))
    }
    expect(times[0]).toBeGreaterThan(Date.parse('2026-01-01T04:00:00Z'))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('cannot move beyond the last time of a plant', async () => {
    expect(await failureOf(session.clock.advance('99999999999h'))).toEqual(refused(/earlier one/))
  })

  test.each([['soon'], ['-1h'], ['']])('cannot advance by %j', async (duration) => {
    expect(await failureOf(session.clock.advance(duration as Duration))).toEqual(
      refused(/^advance is ".*"\. Write one number with d, h, m, s or ms/),
    )
  })
})

/** A run of Pichia in progress, which ends within four days, and a series of it. */
const running = async () => {
  const [run] = (await ask(
    "SELECT b.id, t.id AS series FROM v_bioprocesses b JOIN v_timeseries t ON t.bioprocess_id = b.id WHERE b.status = 'In-progress' AND b.name LIKE 'PP-%' ORDER BY 1, 2 LIMIT 1",
  )) as [{ id: string; series: string }]
  return run
}

describe('what a test changed, when the plant goes on', () => {
  const wrongSeries = `SELECT t.id FROM v_timeseries t LEFT JOIN v_timeseries_data d ON d.id = t.id
    GROUP BY t.id, t.statistics->>'count' HAVING count(d.value) <> (t.statistics->>'count')::int`
  const dangling = `SELECT r.id FROM v_bioprocesses b RIGHT JOIN v_timeseries r ON b.id = r.bioprocess_id WHERE b.id IS NULL
    UNION ALL SELECT d.id FROM v_timeseries_data d LEFT JOIN v_timeseries t ON t.id = d.id WHERE t.id IS NULL
    UNION ALL SELECT r.id FROM v_formula_results r LEFT JOIN v_formulas f ON f.id = r.formula_id WHERE f.id IS NULL`

  test('removed rows stay removed, with those that would refer to them', async () => {
    const { id } = await running()
    const [formula] = (await ask('SELECT formula_id AS id FROM v_formula_results LIMIT 1')) as [
      { id: string },
    ]
    await session.rows.remove({ v_bioprocesses: [id], v_formulas: [formula.id] })
    for (const by of ['10m', '3h', '1d'] as const) {
      await session.clock.advance(by)
      const again = 'SELECT b.id FROM v_bioprocesses b JOIN v_archived_records a ON a.record_id = b.id'
      expect(await ask(again)).toEqual([])
      expect(await ask(dangling)).toEqual([])
      expect(await ask(wrongSeries)).toEqual([])
    }
  })

  test('the statistics of a series follow from the points of both', async () => {
    const { series } = await running()
    const point = { id: series, timestamp: '2025-12-31T23:59:59Z', value: 999 }
    await session.rows.put({ v_timeseries_data: [point] })
    const before = (await ask(ofRun('v_timeseries', 'id', series))) as [{ statistics: { count: number } }]
    await session.clock.advance('4h')
    const [after] = (await ask(ofRun('v_timeseries', 'id', series))) as typeof before
    expect(after.statistics).toMatchObject({ max: 999 })
    expect(after.statistics.count).toBeGreaterThan(before[0].statistics.count)
    expect(await ask(wrongSeries)).toEqual([])
  })

  test('changed columns stay, and the others go on', async () => {
    const { id } = await running()
    const qc = { status: 'Fail', failure_mode: 'Contamination' }
    await session.rows.patch({ v_bioprocesses: [{ id, name: 'Renamed', qc }] })
    await session.clock.advance('96h')
    const [row] = await ask(ofRun('v_bioprocesses', 'id', id))
    expect(row).toMatchObject({ name: 'Renamed', qc, status: 'Completed' })
  })

  test('a later change is later than the time that a row was given', async () => {
    for (const last_updated_at of ['2026-01-01T10:00:00Z', '2030-01-01T00:00:00Z']) {
      await session.rows.put({ v_quantities: [{ id: 'f', last_updated_at }] })
      await session.rows.patch({ v_quantities: [{ id: 'f', name: 'renamed' }] })
      expect(
        await ask(`SELECT id FROM v_quantities WHERE last_updated_at > '${last_updated_at}'`),
      ).toContainEqual({ id: 'f' })
    }
    await session.reset()
    await session.rows.put({ v_quantities: [{ id: 'f' }] })
    const [row] = await ask("SELECT last_updated_at AS at FROM v_quantities WHERE id = 'f'")
    expect(row!['at']).toMatch(/^2026-01-01T00:00:00/)
  })
})

describe('a session', () => {
  const mock = createMock({ token: 'secret' })
  afterAll(() => mock.close())

  test('has its own variants, faults and stubs, until it is reset', async () => {
    const other = server.session()
    await session.use({ 'rows.shape': 'array' })
    await other.stub({ match: 'v_formulas', rows: [{ id: 'stubbed' }] })
    expect(Array.isArray((await ask('SELECT id FROM v_formulas LIMIT 1'))[0])).toBe(true)
    expect(await ask('SELECT id FROM v_formulas LIMIT 1', other.baseUrl)).toEqual([{ id: 'stubbed' }])
    await session.reset()
    await other.end()
    await other.end()
    for (const { baseUrl } of [session, other])
      expect(await ask('SELECT id FROM v_formulas LIMIT 1', baseUrl)).not.toEqual([{ id: 'stubbed' }])
  })

  test('names its stubs that answered nothing when it is reset or ends', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const other = server.session()
    for (const leave of [other.reset, other.reset, other.end]) {
      await other.stub({ match: 'limit 5', rows: [] }, { match: 'v_formulas', rows: [] })
      if (leave === other.end) await other.stub({ match: { shape: 'SELECT 1' }, status: 503 })
      await ask('SELECT id FROM v_formulas', other.baseUrl)
      await leave()
    }
    expect(warn.mock.calls.flat()).toEqual(
      [{ match: 'limit 5' }, { match: { shape: 'SELECT 1' } }].map(
        (match) =>
          `[bioprocess-sql-contract] The stub ${JSON.stringify(match)} answered no statement. Compare it with those that were sent, or take it out.`,
      ),
    )
    warn.mockRestore()
  })

  test('is reset after the changes that were asked before, also if they are late', async () => {
    const late = connectSession({
      baseUrl: server.baseUrl,
      adminToken: 'admin',
      fetch: async (input, init) => {
        if (init?.method === 'PUT') await sleep(200)
        return fetch(input, init)
      },
    })
    const put = late.rows.put(run())
    await late.reset()
    expect(await put).toMatchObject({ v_bioprocesses: 1 })
    expect(await ask(ofRun('v_bioprocesses', 'id'), late.baseUrl)).toEqual([])
    await late.end()
  })

  test('tells its requests', async () => {
    const waiting = session.waitForRequest({ statement: 'v_formulas' })
    await ask('SELECT nope FROM v_formulas')
    expect(await waiting).toMatchObject([{ state: 'error', cause: expect.stringContaining('nope') }])
    await session.forgetRequests()
    expect(await session.requests()).toEqual([])
    await session.expectNoRequest({}, { withinMs: 20 })
    await expect(session.waitForRequest({}, { withinMs: 20 })).rejects.toThrow(
      '0 of 1 requests came within 20 ms.',
    )
  })

  test('of a mock of msw refuses the same rows', async () => {
    for (const [molar_mass, message] of [
      [NaN, 'v_quantities[1].molar_mass is NaN'],
      [-Infinity, 'v_quantities[1].molar_mass is -Infinity'],
      [5n, 'v_quantities[1].molar_mass is the BigInt 5'],
      [() => 5, 'v_quantities[1].molar_mass is a function, which JSON does not have.'],
      [Symbol('5'), 'v_quantities[1].molar_mass is a symbol'],
      [new Map(), 'v_quantities[1].molar_mass is a Map'],
      [new Date(NaN), 'v_quantities[1].molar_mass is an invalid Date'],
      [[undefined], 'v_quantities[1].molar_mass[0] is undefined'],
    ] as const)
      await expect(
        mock.rows.put({
          v_quantities: [{ id: 'q1' }, { id: 'q2', molar_mass: molar_mass as unknown as number }],
        }),
      ).rejects.toThrow(message)
    for (const notes of ['half \ud800', 'nul \0'])
      await expect(mock.rows.put({ v_quantities: [{ id: 'q1', notes }] })).rejects.toThrow(
        'v_quantities[0].notes contains a character that PostgreSQL cannot store',
      )
    await expect(mock.rows.remove({ v_quantities: ['\ud800'] })).rejects.toThrow(
      'v_quantities[0].id contains',
    )
    const attachments = nested(101) as never
    await expect(mock.rows.put({ v_bioprocesses: [{ id: 'a', attachments }] })).rejects.toThrow(
      'nested more than 100',
    )
  })

  test('takes what is given at the time of the call', async () => {
    for (const target of [session, mock]) {
      const row = { id: 'copied', notes: 'before' }
      const put = target.rows.put({ v_quantities: [row] })
      row.notes = 'after'
      await put
    }
    expect(await ask("SELECT notes FROM v_quantities WHERE id = 'copied'")).toEqual([{ notes: 'before' }])
  })

  test('undoes nothing if rows to remove are not given', async () => {
    await session.rows.put({ v_quantities: [{ id: 'kept' }] })
    expect(await failureOf(session.rows.remove(undefined as never))).toEqual(
      refused(/^The rows are not an object\./),
    )
    expect(await ask("SELECT id FROM v_quantities WHERE id = 'kept'")).toEqual([{ id: 'kept' }])
    for (const change of [() => session.use(undefined as never), () => session.faults(undefined as never)])
      expect(await failureOf(change())).toBeInstanceOf(ControlError)
  })

  test('refuses options that do not exist', async () => {
    const wrong = { nope: 1 } as object
    for (const act of [
      () => session.requests(wrong),
      () => session.waitForRequest(wrong),
      () => session.waitForRequest({}, wrong),
      () => session.expectNoRequest(wrong),
      () => session.expectNoRequest({}, wrong),
    ])
      expect(await failureOf(act())).toEqual(
        expect.objectContaining({
          name: 'TypeError',
          message: expect.stringMatching(/^There is no option "nope"\. The options are: /),
        }),
      )
  })

  test('names a server that cannot be reached, and a base URL that is none', async () => {
    const { connectSession } = await import('./connect-session.ts')
    const gone = connectSession({ baseUrl: 'http://127.0.0.1:1' })
    expect(await failureOf(gone.reset())).toMatchObject({
      message: expect.stringMatching(/^The server at http:\/\/127\.0\.0\.1:1 cannot be reached\. Start it/),
    })
    for (const baseUrl of [undefined, '', 'server'])
      expect(() => connectSession({ baseUrl: baseUrl as string })).toThrow('such as http://127.0.0.1:4010.')
  })

  test('has no id that a URL loses, and no stub with a number that JSON loses', async () => {
    for (const id of ['.', '..', 'a/b']) expect(() => server.session(id)).toThrow(ControlError)
    expect(await failureOf(session.stub({ match: '*', rows: [{ n: NaN }] }))).toEqual(
      refused(/^\[0\]\.rows\[0\]\.n is NaN/),
    )
  })

  test('without the admin token of the server is refused', async () => {
    const { connectSession } = await import('./connect-session.ts')
    const stranger = connectSession({ baseUrl: server.baseUrl, id: session.id })
    const failure = await failureOf(stranger.rows.put(run()))
    expect(failure).toBeInstanceOf(ControlError)
    expect(failure).toMatchObject({ status: 401 })
  })
})
