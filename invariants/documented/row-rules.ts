import { contract } from '../../schemas/contract.ts'
import { schemas } from '../../schemas/generated/schemas.ts'
import { validators, type SchemaName } from '../../schemas/generated/validators.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { words } from '../message.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { seriesDuration } from './duration.ts'
import { iso8601, separator, types, zone } from './columns.ts'
import { apparentEvents, namedEvents } from './events.ts'
import { lengths, ofSeries, oneForm } from './formula-results.ts'
import { judgeRows, uniqueRule, valueRule, type RowRule, type RowViolation } from './judging.ts'
import { withOmittedNulls } from './omitted-nulls.ts'
import { contradictionIn } from './statistics.ts'

const { status } = schemas['views/v_bioprocesses']!['properties'] as { status: { enum: string[] } }

const isString = (value: unknown): value is string => typeof value === 'string'
const isThere = (value: unknown): value is unknown => value !== undefined
const isArray = (value: unknown): value is unknown[] => Array.isArray(value)

const consistent = words(
  'min <= arithmetic_mean <= max, and arithmetic_mean times the number of values is the sum',
)

/** The problem of a value that has to satisfy a condition. */
const unless = (holds: boolean, expected: string) => (holds ? undefined : { expected: words(expected) })

const qcKey = (key: 'status' | 'failure_mode') =>
  valueRule('REQ-VIEW-QC', ['v_bioprocesses', 'qc'], isRecord, (qc) =>
    key in withOmittedNulls(qc, 'objects/qc')
      ? undefined
      : {
          expected: words('an object with the keys status and failure_mode'),
          actual: words(`an object without the key ${key}`),
        },
  )

/** An object has the documented keys with their types. */
const shape = (requirement: string, column: readonly [ViewName, string], schema: SchemaName) =>
  valueRule(requirement, column, isRecord, (object: Row) => {
    const validate = validators[schema]
    if (validate(withOmittedNulls(object, schema))) return undefined
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validate.errors ?? []
    const where = instancePath.slice(1).replaceAll('/', '.')
    return {
      expected: words(`an object with the documented keys and types (${`${where} ${message}`.trim()})`),
    }
  })

/** The rules for the rows of one answer: each requirement about rows is stated here, once. */
export const rowRules = {
  types,
  iso8601,
  separator,
  zone,
  status: valueRule('REQ-VIEW-ENUM-1', ['v_bioprocesses', 'status'], isString, (value) =>
    unless(status.enum.includes(value), status.enum.join(', ')),
  ),
  emptyData: valueRule('REQ-VIEW-DATA-EMPTY', ['v_bioprocesses', 'data'], isArray, (items) =>
    unless(items.length === 0, '[]'),
  ),
  qcStatus: qcKey('status'),
  qcFailureMode: qcKey('failure_mode'),
  namedEvents,
  apparentEvents,
  uniqueIds: uniqueRule('REQ-VIEW-ID-UNIQUE', contract.uniqueIds, ['id']),
  uniqueScalars: uniqueRule(
    'REQ-VIEW-QD-UNIQUE',
    ['v_bioprocess_quantity_data'],
    ['bioprocess_id', 'quantity_id'],
    (value) => isString(value) || Number.isSafeInteger(value),
  ),
  unit: valueRule('REQ-VIEW-QD-UNIT', ['v_bioprocess_quantity_data', 'unit'], isThere, (unit) =>
    unless(isString(unit), 'a string, empty where no unit applies'),
  ),
  statistics: shape('REQ-VIEW-STATS-SHAPE', ['v_timeseries', 'statistics'], 'objects/statistics'),
  consistentStatistics: valueRule(
    'REQ-VIEW-STATS-CONSISTENT',
    ['v_timeseries', 'statistics'],
    isRecord,
    (statistics) => {
      const actual = contradictionIn(statistics)
      return actual && { expected: consistent, actual }
    },
  ),
  seriesDuration,
  series: shape('REQ-VIEW-FR-SHAPE', ['v_formula_results', 'timeseries'], 'objects/series'),
  seriesLengths: lengths,
  seriesStatistics: ofSeries,
  oneForm,
} as const satisfies Record<string, RowRule>

/**
 * The violations of every rule in the rows of one answer. Rows of a join may repeat keys: judge these by single rules, with
 * {@link judgeRows}.
 *
 * @param rows rows of one view, by documented column names; some of the columns are enough
 * @param columns the columns that were read, whether or not every row has them. Default: all
 */
export function violationsIn(
  view: ViewName,
  rows: readonly Row[],
  columns?: readonly string[],
): RowViolation[] {
  return Object.values(rowRules)
    .filter(({ views }) => views.includes(view))
    .flatMap((rule) => judgeRows(rule, view, rows, columns).violations)
}
