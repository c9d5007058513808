import { Result } from '../../../engine/result/result.ts'
import { defaultRowFormat, rowFormat } from '../../../engine/result/row-format.ts'
import { nameSources } from '../../../engine/result/sources.ts'
import { frontend } from '../../../engine/result/wire.ts'
import { deltaZone } from '../../../open-points/delta/zone.ts'
import type { EngineSettings } from '../../../statement.ts'
import { Answer, type Plan } from './pages.ts'
import type { Reading } from '../../../syntax/reading.ts'
import type { SeenPosition } from './position.ts'
import { RunAgain } from '../errors.ts'
import { factsQuery, preamble, type PreambleOptions, viewNamesIn } from './preamble.ts'

export interface PlanOptions extends PreambleOptions {
  /** The schema of the views. */
  readonly schema: string
  /** Where clients have seen the log; undefined for a single host. */
  readonly seen: SeenPosition | undefined
}

/** How a statement runs. */
export function planOf(statement: Reading, settings: EngineSettings, options: PlanOptions): Plan {
  const { text, sources, spelled, ordered } = statement
  const { schema, seen } = options
  const format = rowFormat(settings)
  const rename = format.keyCase?.(() => spelled)
  const { sessionZone } = deltaZone(settings)
  const facts = factsQuery({
    position: seen !== undefined,
    oidsIn: format === defaultRowFormat ? undefined : schema,
  })
  const opened = new Answer()
  return {
    text,
    opening: frontend.query([preamble(options, sessionZone), ...(facts ? [facts] : [])].join('; ')),
    opened,
    seen,
    result: new Result({
      format,
      toColumns: (fields) => {
        const views = viewNamesIn(opened.row)
        // only views have columns: those of this statement were replaced after they were looked up
        if (fields.some(({ table }) => table !== 0 && !views.has(table)))
          throw new RunAgain('The views are being replaced.')
        return nameSources(fields, sources, views, rename)
      },
      mayReorder: !ordered,
    }),
  }
}
