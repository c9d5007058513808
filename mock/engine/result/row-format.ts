import { defaultSettings } from '../../open-points/settings.ts'
import { printedPrecision } from '../../open-points/delta/precision.ts'
import { jsonEncoding } from '../../open-points/json/encoding.ts'
import { numberEncoding } from '../../open-points/numbers/encoding.ts'
import { nonFiniteNumbers } from '../../open-points/numbers/non-finite.ts'
import { keyCase } from '../../open-points/rows/case.ts'
import { duplicateNames } from '../../open-points/rows/duplicates.ts'
import { nullText } from '../../open-points/rows/nulls.ts'
import { reorderRows } from '../../open-points/rows/order.ts'
import { rowShape } from '../../open-points/rows/shape.ts'
import { timestampFormat } from '../../open-points/timestamps/format.ts'
import type { EngineSettings } from '../../statement.ts'

/** How rows are written. A function that is undefined changes nothing. */
export type RowFormat = ReturnType<typeof read>

const read = (settings: EngineSettings) => ({
  shape: rowShape(settings),
  duplicates: duplicateNames(settings),
  keyCase: keyCase(settings),
  null: nullText(settings),
  reorder: reorderRows(settings),
  timestamp: timestampFormat(settings),
  precision: printedPrecision(settings),
  numberInColumn: numberEncoding(settings).inColumn,
  numberInJson: numberEncoding(settings).inJson,
  nonFinite: nonFiniteNumbers(settings).json,
  json: jsonEncoding(settings),
})

/** Rows under the default settings: objects, the last column of a name wins, ISO 8601 with microseconds and offset. */
export const defaultRowFormat: RowFormat = Object.freeze(read(defaultSettings))

/** The format under some settings; {@link defaultRowFormat} itself if none of them changes it. */
export function rowFormat(settings: EngineSettings): RowFormat {
  if (settings === defaultSettings) return defaultRowFormat
  const format = read(settings)
  const names = Object.keys(format) as (keyof RowFormat)[]
  return names.every((name) => format[name] === defaultRowFormat[name]) ? defaultRowFormat : format
}
