import { defaultRowFormat, rowFormat } from '../../../engine/result/row-format.ts'
import { Result } from '../../../engine/result/result.ts'
import { nameSources } from '../../../engine/result/sources.ts'
import { deltaZone } from '../../../open-points/delta/zone.ts'
import type { EngineSettings } from '../../../statement.ts'
import type { Reading } from '../../../syntax/reading.ts'
import { viewsReplaced } from '../connect/failures.ts'
import { Answer, type Plan } from './pages.ts'
import { preamble, type PreambleOptions, viewNamesIn, viewOids } from './preamble.ts'

export interface PlanOptions extends PreambleOptions, Pick<Plan, 'beginsWithinMs'> {
  /** The schema of the views. */
  readonly schema: string
}

/** How a statement runs. */
export function planOf(statement: Reading, settings: EngineSettings, options: PlanOptions): Plan {
  const { text, sources, spelled, ordered } = statement
  const format = rowFormat(settings)
  const rename = format.keyCase?.(() => spelled)
  const begin = preamble(options, deltaZone(settings).sessionZone)
  const opened = new Answer()
  return {
    text,
    opening: format === defaultRowFormat ? begin : `${begin}; ${viewOids(options.schema)}`,
    opened,
    beginsWithinMs: options.beginsWithinMs,
    result: new Result({
      format,
      toColumns: (fields) => {
        const views = viewNamesIn(opened.row)
        // only views have columns: those of this statement were replaced after they were looked up
        if (fields.some(({ table }) => table !== 0 && !views.has(table))) throw viewsReplaced()
        return nameSources(fields, sources, views, rename)
      },
      mayReorder: !ordered,
    }),
  }
}
