import { describe, expectTypeOf, test } from 'vitest'
import type {
  Bioprocess,
  Client,
  ColumnOf,
  Delta,
  Timeseries,
  TimeseriesPoint,
  TimeseriesWithBioprocess,
  ViewName,
} from './index.ts'

declare const client: Client
const { views } = client

const read = <V extends ViewName>(name: V) => views[name].select()

/** The documented join in TypeScript; the generated type must be equal. */
type Joined<Left, Right> = Omit<Left, keyof Right> & { [Column in keyof Right]: Right[Column] | null }

describe('query', () => {
  test('returns rows of the given type, or of unknown values', () => {
    expectTypeOf(client.query<{ n: number }>('SELECT 1 AS n')).resolves.toEqualTypeOf<{ n: number }[]>()
    expectTypeOf(client.query('SELECT 1')).resolves.toEqualTypeOf<Record<string, unknown>[]>()
  })
})

describe('select', () => {
  test('returns complete rows', () => {
    expectTypeOf(views.v_bioprocesses.select()).resolves.items.branded.toEqualTypeOf<Bioprocess>()
    expectTypeOf(
      views.v_timeseries_data.select({ limit: 1 }),
    ).resolves.items.branded.toEqualTypeOf<TimeseriesPoint>()
  })

  test('narrows rows to the named columns', () => {
    const some = views.v_bioprocesses.select({ columns: ['id', 'parent_id', 'status'] })
    expectTypeOf(some).resolves.items.toEqualTypeOf<Pick<Bioprocess, 'id' | 'parent_id' | 'status'>>()
    expectTypeOf(some).resolves.items.toHaveProperty('parent_id').toEqualTypeOf<string | null>()
    expectTypeOf(some).resolves.items.not.toHaveProperty('name')
  })

  test('returns dates in place of timestamps on request', () => {
    const dated = views.v_bioprocesses.select({
      columns: ['id', 'start_timestamp', 'run_end_timestamp'],
      dates: true,
    })
    expectTypeOf(dated).resolves.items.branded.toEqualTypeOf<{
      id: string
      start_timestamp: Date
      run_end_timestamp: Date | null
    }>()
    expectTypeOf(client.points({ dates: true })).toExtend<
      AsyncIterable<{ timestamp: Date; value: number | null }[]>
    >()
    expectTypeOf(client.points()).toExtend<AsyncIterable<TimeseriesPoint[]>>()
    // @ts-expect-error a timestamp is a text unless dates are asked for
    void views.v_formulas.select().then(([row]) => row!.last_updated_at.getTime())
  })

  test('rejects unknown columns and views without last_updated_at', () => {
    // @ts-expect-error no such column
    void views.v_experiments.select({ columns: ['name'] })
    // @ts-expect-error no last_updated_at to compare
    void views.v_archived_records.select({ updatedAfter: '2025-12-01' })
    // @ts-expect-error none in the other view
    void views.v_timeseries.select({ updatedAfter: { newestOf: 'v_archived_records' } })
    // @ts-expect-error not a time
    void views.v_timeseries.select({ updatedAfter: 1_764_576_000 })
    // @ts-expect-error no such view
    void views.v_events
    void views.v_timeseries.select({ updatedAfter: new Date() })
    void views.v_timeseries.select({ updatedAfter: { newestOf: 'v_bioprocesses' } })
  })

  test('accepts a view of a generic type', () => {
    expectTypeOf(read('v_timeseries')).resolves.items.branded.toEqualTypeOf<Timeseries>()
    expectTypeOf<'record_id' | 'archived_at'>().toExtend<ColumnOf<'v_archived_records'>>()
    expectTypeOf<'last_updated_at'>().not.toExtend<ColumnOf<'v_archived_records'>>()
  })
})

describe('the documented join', () => {
  const joined = client.timeseriesWithBioprocess()

  test('has the last of two columns with one name, and null on the right', () => {
    expectTypeOf(joined).resolves.toEqualTypeOf<TimeseriesWithBioprocess[]>()
    expectTypeOf<TimeseriesWithBioprocess>().branded.toEqualTypeOf<Joined<Timeseries, Bioprocess>>()
    expectTypeOf<TimeseriesWithBioprocess['id']>().toEqualTypeOf<string | null>()
    expectTypeOf<TimeseriesWithBioprocess['duration_ms']>().toEqualTypeOf<number | null>()
    expectTypeOf<TimeseriesWithBioprocess['bioprocess_id']>().toEqualTypeOf<string>()
    expectTypeOf<TimeseriesWithBioprocess['status']>().toEqualTypeOf<Bioprocess['status'] | null>()
  })

  test('is not a timeseries', () => {
    expectTypeOf<TimeseriesWithBioprocess>().not.toExtend<Timeseries>()
  })
})

describe('deltas', () => {
  test('return the time of change, the ids and the named columns', () => {
    const some = client.deltas('v_timeseries', { columns: ['unit'] })
    expectTypeOf(some).toEqualTypeOf<
      AsyncGenerator<Delta<Pick<Timeseries, 'unit' | 'id' | 'last_updated_at'>>, void, undefined>
    >()
    const archived = client.deltas('v_archived_records', { since: new Date() })
    expectTypeOf(archived).toExtend<AsyncIterable<Delta<{ record_id: string; archived_at: string }>>>()
    // @ts-expect-error no such column
    void client.deltas('v_timeseries', { columns: ['name'] })
    // @ts-expect-error no such view
    void client.deltas('v_nope')
  })
})
