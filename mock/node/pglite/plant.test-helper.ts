import { type Dataset, datasetOf } from '../../../fixtures/dataset.ts'
import { sampleRows } from '../../../invariants/tables.test-helper.ts'
import { views } from '../../../schemas/index.ts'
import type { Session } from '../../engine/session/session.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import type { EngineSettings, ExecuteOptions, StatementEngine } from '../../statement.ts'
import { loadArtifacts } from './artifacts.ts'

const stamp = (index: number) => `2025-01-01T00:00:00.${String(index).padStart(6, '0')}+00:00`

/** A dataset of three quantities and some points. */
export function smallPlant(points = 12_000): Dataset {
  return datasetOf({
    v_quantities: ['pH', 'a "quoted"\n\\ name', '温度'].map((name, index) => ({
      ...sampleRows.v_quantities,
      id: `q${index}`,
      name,
      alternative_names: [`${name} 2`],
      is_timeseries: index > 0,
      base_units: { kg: 1 },
      molar_mass: index === 0 ? null : 180.156,
      last_updated_at: stamp(index),
    })),
    v_timeseries_data: Array.from({ length: points }, (_, index) => ({
      ...sampleRows.v_timeseries_data,
      id: `t${index % 3}`,
      timestamp: stamp(index),
      value: index / 7,
    })),
  })
}

let snapshot: Promise<Uint8Array> | undefined

/**
 * The snapshot of a plant with 300 points, more than the first page of a result has. Built once for the files of a worker: engines
 * that start from it do not change it (shared-files.test.ts).
 */
export const smallSnapshot = (): Promise<Uint8Array> =>
  (snapshot ??= loadArtifacts().then((artifacts) => buildSnapshot(smallPlant(300), artifacts)))

/** A statement that returns a checksum of every view. */
export const checksums = views
  .map(
    ({ name }) =>
      `SELECT '${name}' AS view, md5(string_agg(v::text, '' ORDER BY v::text)) AS sum FROM ${name} v`,
  )
  .join(' UNION ALL ')

/** Whether a session has the rights of the reader. */
export const isReader = async (session: Session): Promise<boolean> =>
  (await session.attempt(
    "SELECT 1 / (current_user = 'reader' AND session_user = 'reader' AND current_schema = 'public')::int",
  )) === undefined

/** Runs a statement in a session. @returns its rows as JSON, separated by commas */
export async function jsonOf(
  session: Session,
  statement: string,
  settings?: EngineSettings,
  overlay?: string,
): Promise<string> {
  let text = ''
  for await (const { chunks } of session.run(statement, settings, overlay)) {
    for (const chunk of chunks) text += new TextDecoder().decode(chunk)
  }
  return text
}

/** Runs a statement to its end and returns its rows. */
export async function rowsOf(
  engine: StatementEngine,
  statement: string,
  options: Partial<ExecuteOptions> = {},
): Promise<unknown[]> {
  const result = await engine.execute(statement, { signal: new AbortController().signal, ...options })
  const decoder = new TextDecoder()
  let json = ''
  for await (const chunk of result.chunks) json += decoder.decode(chunk, { stream: true })
  return JSON.parse(`[${json}]`) as unknown[]
}
