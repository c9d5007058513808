import { type Mutant } from '../mutant.ts'
import {
  all,
  filtered,
  from,
  joined,
  limited,
  named,
  not,
  onCells,
  onResult,
  onSql,
  type Row,
  star,
} from './helpers.ts'

const SCALARS = 'v_bioprocess_quantity_data'
const bumped = (id: unknown) => String(id).replace(/.$/, (digit) => (digit === 'f' ? '0' : 'f'))
const plain = (view: string) => all(from(view), not(joined), star)

export const idMutants: readonly Mutant[] = [
  {
    id: 'blind-series-id-short',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'Ids of series are cut to eight characters, which series of one run share.',
    wrap: onCells('v_timeseries', 'id', (value) => String(value).slice(0, 8)),
  },
  {
    id: 'blind-result-id-of-formula',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'The id of a formula result is the id of its formula.',
    wrap: onCells('v_formula_results', 'id', (value, { row }) => row['formula_id'] ?? value, star),
  },
  {
    id: 'blind-page-overlap',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'Internal pages of 200 rows overlap: the last row of a page is the first of the next.',
    wrap: onResult(
      (rows) => rows.flatMap((row, index) => (index % 200 === 199 ? [row, row] : [row])),
      all(not(joined), not(limited)),
    ),
  },
  {
    id: 'blind-run-per-attachment',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'A run comes once for each of its attachments, because the view joins them.',
    wrap: onResult(
      (rows) =>
        rows.flatMap((row) => Array.from({ length: Math.max(1, sizeOf(row['attachments'])) }, () => row)),
      plain('v_bioprocesses'),
    ),
  },
  {
    id: 'blind-quantity-per-name',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'A quantity comes once for each alternative name.',
    wrap: onResult(
      (rows) =>
        rows.flatMap((row) =>
          Array.from({ length: Math.max(1, sizeOf(row['alternative_names'])) }, () => row),
        ),
      all(plain('v_quantities'), not(limited)),
    ),
  },
  {
    id: 'blind-delta-rows-twice',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'A delta of formulas or experiments holds each row twice, as an insert and as an update.',
    wrap: onResult(
      (rows) => rows.flatMap((row) => [row, row]),
      all(from('v_formulas', 'v_experiments'), filtered, not(limited)),
    ),
  },
  {
    id: 'blind-limit-padded',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'If LIMIT asks for more rows than there are, the first rows are repeated to fill the page.',
    wrap: onResult((rows, call) => {
      const limit = Number(/\blimit\s+(\d+)/i.exec(call.statement ?? '')?.[1] ?? 0)
      const missing = Math.min(limit - rows.length, rows.length)
      return missing > 0 && rows.length > 1 ? [...rows, ...rows.slice(0, missing)] : rows
    }, limited),
  },
  {
    id: 'blind-scalar-history',
    breaks: 'REQ-VIEW-QD-UNIQUE',
    defect: 'Earlier versions of a value remain in the view, each with an id of its own.',
    wrap: onResult(
      (rows) =>
        rows.flatMap((row, index) => (index % 40 === 7 ? [row, { ...row, id: bumped(row['id']) }] : [row])),
      all(from(SCALARS), not(joined), not(limited)),
    ),
  },
  {
    id: 'blind-scalar-run-of-next-row',
    breaks: 'REQ-VIEW-QD-UNIQUE',
    defect: 'Scalar values are assigned to the last run of the result, so quantities repeat within it.',
    wrap: onCells(SCALARS, 'bioprocess_id', (_, { rows }) => rows.at(-1)?.['bioprocess_id'], star),
  },
  {
    id: 'blind-scalar-text-once-more',
    breaks: 'REQ-VIEW-QD-UNIQUE',
    defect: 'A text value comes twice, once from the table of texts and once from the table of all values.',
    wrap: onResult(
      (rows) => [
        ...rows,
        ...rows
          .filter(({ value }) => typeof value === 'string')
          .map((row) => ({ ...row, id: bumped(row['id']) })),
      ],
      all(plain(SCALARS), not(limited)),
    ),
  },
  {
    id: 'blind-scalar-unit-null',
    breaks: 'REQ-VIEW-QD-UNIT',
    defect: 'A text value has null as its unit.',
    wrap: onCells(SCALARS, 'unit', (unit, { row }) => (typeof row['value'] === 'string' ? null : unit), star),
  },
  {
    id: 'blind-scalar-unit-none',
    breaks: 'REQ-VIEW-QD-UNIT',
    defect: 'A value without unit has the text "None" as its unit.',
    wrap: onCells(SCALARS, 'unit', (unit) => unit || 'None'),
  },
  {
    id: 'blind-scalar-unit-one',
    breaks: 'REQ-VIEW-QD-UNIT',
    defect: 'In a SELECT of named columns, the unit of a value without unit is the number 1.',
    wrap: onCells(SCALARS, 'unit', (unit) => unit || 1, named),
  },
  {
    id: 'blind-scalar-unit-object',
    breaks: 'REQ-VIEW-QD-UNIT',
    defect: 'From the 201st row on, the unit is an object with a symbol.',
    wrap: onCells(SCALARS, 'unit', (symbol, { index }) => (index < 200 ? symbol : { symbol })),
  },
  {
    id: 'blind-parent-is-itself',
    breaks: 'REQ-VIEW-PARENTS',
    defect: 'A run without a parent is its own parent, so a parent is in v_bioprocesses.',
    wrap: onCells('v_bioprocesses', 'parent_id', (parent, { row }) => parent ?? row['id'], star),
  },
  {
    id: 'blind-parents-still-among-runs',
    breaks: 'REQ-VIEW-PARENTS',
    defect: 'Parents are still rows of v_bioprocesses, as they were before v_experiments existed.',
    wrap: onResult(
      (rows) => {
        const parents = [...new Set(rows.map((row) => row['parent_id']))].filter(
          (id) => typeof id === 'string',
        )
        return [...parents.map((id): Row => ({ ...rows[0], id, parent_id: null, events: [] })), ...rows]
      },
      all(plain('v_bioprocesses'), not(limited)),
    ),
  },
  {
    id: 'blind-experiments-empty',
    breaks: 'REQ-VIEW-PARENTS',
    defect: 'v_experiments exists, but the parents were never copied into it.',
    wrap: onSql(
      /\bfrom\s+v_experiments\b/gi,
      'FROM (SELECT * FROM v_experiments WHERE id IS NULL) v_experiments',
      not(joined),
    ),
  },
  {
    id: 'blind-experiments-are-children',
    breaks: 'REQ-VIEW-PARENTS',
    defect: 'v_experiments lists the child processes instead of their parents.',
    wrap: onSql(
      /\bfrom\s+v_experiments\b/gi,
      'FROM (SELECT id, external_id, scheduled_start_timestamp, scheduled_end_timestamp, last_updated_at FROM v_bioprocesses) v_experiments',
      not(joined),
    ),
  },
]

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
