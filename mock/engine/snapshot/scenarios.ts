import { microsOf } from '../../../base/time/micros.ts'
import type { Dataset, PointSeries } from '../../../fixtures/dataset.ts'
import { binaryHeader, copyRows } from '../../../fixtures/export/copy-rows.ts'
import type { ScenarioName } from '../../../fixtures/scenarios/index.ts'
import type { TimeseriesPoint, ViewName } from '../../../schemas/index.ts'
import { POINT_VIEW, view, views } from '../../../schemas/views.ts'
import { type ChangeStep, rowsFile } from '../views/change.ts'

/** The rows of a view for COPY: points in its binary format, which PGlite reads faster, others as text. */
type Content = readonly [view: ViewName, rows: Uint8Array]

/** What the packed bytes are: of each scenario, the views that have rows, and their bytes. It stands before them as JSON, in a line. */
type Index = readonly (readonly [name: ScenarioName, readonly (readonly [view: ViewName, bytes: number])[]])[]

const newline = 10

const sizeOf = (contents: readonly Content[]) => contents.reduce((sum, [, rows]) => sum + rows.length, 0)

/**
 * All scenarios. The rows that several have compress to nothing where they are near each other, so the largest scenario is
 * the first one.
 */
export function packScenarios(datasets: Readonly<Record<ScenarioName, Dataset>>): Uint8Array {
  const all = Object.entries(datasets)
    .map(([name, dataset]) => [name as ScenarioName, contentsOf(dataset)] as const)
    .toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one))
  const index: Index = all.map(([name, contents]) => [name, contents.map(([of, rows]) => [of, rows.length])])
  const head = new TextEncoder().encode(`${JSON.stringify(index)}\n`)
  return joined(head, ...all.flatMap(([, contents]) => contents.map(([, rows]) => rows)))
}

/** The steps that put the rows of a scenario in place of all others. @param packed as {@link packScenarios} returns it */
export function packedSteps(packed: Uint8Array, name: ScenarioName): ChangeStep[] {
  let at = packed.indexOf(newline) + 1
  const index = JSON.parse(new TextDecoder().decode(packed.subarray(0, at))) as Index
  const contents: Content[] = []
  for (const [scenario, sizes] of index)
    for (const [of, bytes] of sizes) {
      if (scenario === name) contents.push([of, packed.slice(at, at + bytes)])
      at += bytes
    }
  return stepsOf(contents)
}

/** The steps that put the rows of a dataset in place of all others. */
export const datasetSteps = (dataset: Dataset): ChangeStep[] => stepsOf(contentsOf(dataset))

/** The tables of the smallest plant have few rows but points. Deleting them costs a fourth of new, empty tables with their indexes. */
const stepsOf = (contents: readonly Content[]): ChangeStep[] => [
  ...views.map(({ name, table }) => ({
    sql: `${hasPoints(name) ? 'TRUNCATE' : 'DELETE FROM'} plant.${table}`,
  })),
  ...contents.map(([name, rows]) => ({
    sql: `COPY plant.${view(name).table} FROM '${rowsFile}'${hasPoints(name) ? ' (FREEZE, FORMAT binary)' : ''}`,
    rows,
  })),
]

const hasPoints = (name: ViewName) => name === POINT_VIEW

function contentsOf({ rows }: Dataset): Content[] {
  const part = { rows, series: () => seriesOf(rows(POINT_VIEW)) }
  return views.flatMap((each): Content[] => {
    const head = hasPoints(each.name) ? [binaryHeader] : []
    const chunks = Array.from(copyRows().encode(part, each), ({ content }) => (content as Uint8Array).slice())
    return chunks.length === 0 ? [] : [[each.name, joined(...head, ...chunks)]]
  })
}

function seriesOf(points: Iterable<TimeseriesPoint>): PointSeries[] {
  const byId = new Map<string, TimeseriesPoint[]>()
  for (const point of points) {
    const others = byId.get(point.id)
    if (others) others.push(point)
    else byId.set(point.id, [point])
  }
  return Array.from(byId, ([id, all]) => ({
    id,
    times: Float64Array.from(all, ({ timestamp }) => microsOf('timestamp', timestamp)),
    values: Float64Array.from(all, ({ value }) => value ?? Number.NaN),
    // a point without an item is undefined there
    items: all.some(({ data_item_id: item }) => item !== null)
      ? all.map(({ data_item_id: item }) => (item ?? undefined) as string)
      : undefined,
    updated: Float64Array.from(all, (point) => microsOf('last_updated_at', point.last_updated_at!)),
  }))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
