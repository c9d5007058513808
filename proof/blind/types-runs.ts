import { type Mutant } from '../mutant.ts'
import { every, isObject, joined, named, onCells, onValues, star } from './helpers.ts'

const RUNS = 'v_bioprocesses'
const SCALARS = 'v_bioprocess_quantity_data'
const status = (row: Record<string, unknown>) => row['status']

export const runTypeMutants: readonly Mutant[] = [
  {
    id: 'blind-run-duration-text',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'The driver returns a duration beyond 32 bits as a string.',
    wrap: onCells(RUNS, 'duration_ms', (value) => (Number(value) > 100_000_000 ? String(value) : value)),
  },
  {
    id: 'blind-run-duration-null-while-running',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'duration_ms is null instead of zero for a run that has not begun.',
    wrap: onCells(RUNS, 'duration_ms', (value) => (value === 0 ? null : value)),
  },
  {
    id: 'blind-run-end-null-while-open',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'end_timestamp is null until the run is completed.',
    wrap: onCells(
      RUNS,
      'end_timestamp',
      (value, { row }) => (status(row) === 'Completed' ? value : null),
      star,
    ),
  },
  {
    id: 'blind-run-start-null-in-draft',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'start_timestamp is null for a draft.',
    wrap: onCells(
      RUNS,
      'start_timestamp',
      (value, { row }) => (status(row) === 'Draft' ? null : value),
      star,
    ),
  },
  {
    id: 'blind-run-induction-empty-array',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'A run without induction has [] instead of null as induction_event.',
    wrap: onCells(RUNS, 'induction_event', (value) => value ?? []),
  },
  {
    id: 'blind-run-attachments-null',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'attachments is null for a run without any, as an aggregate over no rows returns.',
    wrap: onCells(RUNS, 'attachments', (value) =>
      Array.isArray(value) && value.length === 0 ? null : value,
    ),
  },
  {
    id: 'blind-run-short-attachments-collapsed',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'A list with one or two attachments is served as the first one.',
    wrap: onCells(RUNS, 'attachments', (value) =>
      Array.isArray(value) && [1, 2].includes(value.length) ? value[0] : value,
    ),
  },
  {
    id: 'blind-run-events-keyed',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'events is an object keyed by the number of the event.',
    wrap: onCells(RUNS, 'events', (value) => ({ ...(value as object) })),
  },
  {
    id: 'blind-run-object-id',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'Ids are written in the extended JSON of a document store, as {"$oid": ...}.',
    wrap: onCells(RUNS, ['id', 'parent_id'], (value) => (value === null ? null : { $oid: value })),
  },
  {
    id: 'blind-run-qc-null-before-review',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'qc is null until the run is reviewed.',
    wrap: onCells(RUNS, 'qc', (value) => (isObject(value) && value['status'] === null ? null : value)),
  },
  {
    id: 'blind-run-parent-zero',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'A run without a parent has 0 as parent_id.',
    wrap: onCells(RUNS, 'parent_id', (value) => value ?? 0),
  },
  {
    id: 'blind-run-external-id-number',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'In every second answer the external id is the number at its end.',
    wrap: every(
      2,
      onCells(RUNS, 'external_id', (value) => Number(/\d+$/.exec(String(value))?.[0] ?? 0)),
    ),
  },
  {
    id: 'blind-joined-objects-as-text',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'Objects and arrays of the joined view are JSON text in a string.',
    wrap: onValues(
      (value, key) => (['qc', 'events', 'attachments'].includes(key) ? JSON.stringify(value) : value),
      joined,
    ),
  },
  {
    id: 'blind-scalar-value-null',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'A value that is text is null, because the numeric column of the table is joined.',
    wrap: onCells(SCALARS, 'value', (value) =>
      typeof value === 'string' && Number.isNaN(Number(value)) ? null : value,
    ),
  },
  {
    id: 'blind-scalar-value-object',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'The value of a quantity with a unit is an object with value and unit.',
    wrap: onCells(
      SCALARS,
      'value',
      (value, { row }) => (row['unit'] === '' ? value : { value, unit: row['unit'] }),
      star,
    ),
  },
  {
    id: 'blind-scalar-zero-false',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'A value of 0 or 1 becomes a boolean, as some drivers treat one-digit columns.',
    wrap: onCells(SCALARS, 'value', (value) => (value === 0 || value === 1 ? value === 1 : value)),
  },
  {
    id: 'blind-scalar-info-list',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'measurement_info is a list of objects.',
    wrap: onCells(SCALARS, 'measurement_info', (value) => (value === null ? null : [value])),
  },
  {
    id: 'blind-scalar-info-null-text',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'A missing measurement_info is the string "null" in a SELECT of named columns.',
    wrap: onCells(SCALARS, 'measurement_info', (value) => value ?? 'null', named),
  },
  {
    id: 'blind-scalar-last-run-null',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'The last row of a result has no bioprocess_id.',
    wrap: onCells(SCALARS, 'bioprocess_id', (value, { index, rows }) =>
      index === rows.length - 1 ? null : value,
    ),
  },
  {
    id: 'blind-scalar-quantity-number-late',
    breaks: 'REQ-VIEW-TYPES:v_bioprocess_quantity_data',
    defect: 'From the 201st row on, quantity_id is the number of the quantity instead of its id.',
    wrap: onCells(SCALARS, 'quantity_id', (value, { index }) => (index < 200 ? value : index)),
  },
]
