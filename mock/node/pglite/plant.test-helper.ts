import { type Dataset, datasetOf } from '../../../fixtures/dataset.ts'
import type { ExecuteOptions, StatementEngine } from '../../statement.ts'

const stamp = (index: number) => `2025-01-01T00:00:00.${String(index).padStart(6, '0')}+00:00`

/** Three quantities and as many points as asked for. */
export function smallPlant(points = 12_000): Dataset {
  return datasetOf({
    v_quantities: ['pH', 'a "quoted"\n\\ name', '温度'].map((name, index) => ({
      id: `q${index}`,
      name,
      alternative_names: [`${name} 2`],
      is_timeseries: index > 0,
      data_type: 'numeric',
      default_unit: '',
      default_ingestion_unit: '',
      base_units: { kg: 1 },
      molar_mass: index === 0 ? null : 180.156,
      notes: null,
      last_updated_at: stamp(index),
    })),
    v_timeseries_data: Array.from({ length: points }, (_, index) => ({
      id: `t${index % 3}`,
      timestamp: stamp(index),
      value: index / 7,
      data_item_id: null,
    })),
  })
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
