import { deepEqual, equal, ok } from 'node:assert/strict'
import { views as viewDefinitions } from '../schemas/views.ts'
import type { Client, View, ViewName } from './index.ts'

const SINCE = '2025-06-01T00:00:00Z'

/**
 * Uses every method of the client. Returns ids, counts and times in whole seconds: the rest differs with the variant.
 *
 * @throws AssertionError if a result contradicts another one
 */
export async function useClient({ views, ...client }: Client): Promise<Readonly<Record<string, unknown>>> {
  const { v_bioprocesses, v_timeseries, v_formulas } = views

  // select: all columns, named columns, a limit, a date, the newest change of another view, timestamps as dates
  const some: Record<string, number> = {}
  for (const { name } of viewDefinitions)
    some[name] = (await (views[name] as View<ViewName>).select({ limit: 5 })).length
  const formulas = idsOf(await v_formulas.select())
  const runs = await v_bioprocesses.select({ columns: ['id', 'name', 'start_timestamp'], dates: true })
  const starts = runs.map(({ id, name, start_timestamp }) => `${id} ${name} ${secondsOf(start_timestamp)}`)
  const changed = idsOf(await v_bioprocesses.select({ columns: ['id'], updatedAfter: SINCE }))
  const newer = idsOf(
    await v_timeseries.select({ columns: ['id'], updatedAfter: { newestOf: 'v_bioprocesses' } }),
  )

  // of two columns with one name, the join has the last
  const joined = await client.timeseriesWithBioprocess({ limit: 10 })
  for (const { id, bioprocess_id, name } of joined) equal(id, name === null ? null : bioprocess_id)

  // any statement, and its envelope
  const columns = ['id', 'external_id']
  const found = await client.query('SELECT id, external_id FROM v_experiments LIMIT 3', { columns })
  for (const row of found) deepEqual(Object.keys(row), columns)
  const { data, status } = await client.execute('SELECT id FROM v_experiments LIMIT 3')
  deepEqual([found.length, data.length, status.state], [3, 3, 'success'])

  // changes: all of them, those since a cursor, in pages, of the view without last_updated_at
  const loaded = await changesOf(client.deltas('v_formulas'))
  deepEqual(loaded.ids, formulas)
  const again = await changesOf(client.deltas('v_formulas', { since: loaded.cursor! }))
  ok(again.ids.every((id) => formulas.includes(id)))
  deepEqual((await changesOf(client.deltas('v_formulas', { paging: 'keyset', pageSize: 20 }))).ids, formulas)
  let archived = 0
  for await (const { rows } of client.deltas('v_archived_records')) archived += rows.length

  // the points of a series, in both kinds of pages
  const [series] = idsOf(await v_timeseries.select({ columns: ['id'] })) as [string]
  const points = await timesOf(client.points({ series, dates: true }))
  deepEqual(await timesOf(client.points({ series, dates: true, paging: 'time' })), points)
  ok(points.length > 10)

  return {
    some,
    formulas,
    starts: starts.toSorted(),
    changed,
    newer,
    joined: joined.length,
    archived,
    points,
  }
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).toSorted()

async function changesOf(deltas: AsyncIterable<{ rows: { id: string }[]; cursor: string }>) {
  const ids = new Set<string>()
  let cursor: string | undefined
  for await (const delta of deltas) {
    for (const { id } of delta.rows) ids.add(id)
    cursor = delta.cursor
  }
  return { ids: [...ids].toSorted(), cursor }
}

async function timesOf(pages: AsyncIterable<{ timestamp: Date }[]>): Promise<number[]> {
  const times: number[] = []
  for await (const page of pages) times.push(...page.map(({ timestamp }) => secondsOf(timestamp)))
  return times
}
