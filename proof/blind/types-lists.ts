import { type Mutant } from '../mutant.ts'
import { every, filtered, isObject, named, onCells, star } from './helpers.ts'

const QUANTITIES = 'v_quantities'
const FORMULAS = 'v_formulas'
const ARCHIVE = 'v_archived_records'
const EXPERIMENTS = 'v_experiments'
const empty = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0

export const listTypeMutants: readonly Mutant[] = [
  {
    id: 'blind-quantity-flag-number',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'is_timeseries is 1 or 0, as a database without booleans stores it.',
    wrap: onCells(QUANTITIES, 'is_timeseries', Number),
  },
  {
    id: 'blind-quantity-false-is-null',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'is_timeseries is true or null; a false flag is stored as null.',
    wrap: onCells(QUANTITIES, 'is_timeseries', (value) => value || null),
  },
  {
    id: 'blind-quantity-names-array-literal',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'alternative_names is the array literal of the database, {a,b}, in a string.',
    wrap: onCells(QUANTITIES, 'alternative_names', (value) => `{${(value as string[]).join(',')}}`),
  },
  {
    id: 'blind-quantity-one-name-collapsed',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'A single alternative name is a string instead of an array.',
    wrap: onCells(QUANTITIES, 'alternative_names', (value) =>
      Array.isArray(value) && value.length === 1 ? value[0] : value,
    ),
  },
  {
    id: 'blind-quantity-names-with-null',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'An outer join adds null to the end of alternative_names.',
    wrap: onCells(QUANTITIES, 'alternative_names', (value) => [...(value as unknown[]), null]),
  },
  {
    id: 'blind-quantity-names-objects',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'Alternative names are objects with a name and a language.',
    wrap: onCells(QUANTITIES, 'alternative_names', (value) =>
      (value as string[]).map((name) => ({ name, language: 'en' })),
    ),
  },
  {
    id: 'blind-quantity-base-units-list',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'Empty base_units are [] instead of {}.',
    wrap: onCells(QUANTITIES, 'base_units', (value) => (empty(value) ? [] : value)),
  },
  {
    id: 'blind-quantity-base-units-text',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'base_units is a product such as "g*L^-1" in a string.',
    wrap: onCells(QUANTITIES, 'base_units', (value) =>
      Object.entries(value as object)
        .map((pair) => pair.join('^'))
        .join('*'),
    ),
  },
  {
    id: 'blind-quantity-default-unit-null',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'default_unit and default_ingestion_unit are null for a quantity without unit.',
    wrap: onCells(QUANTITIES, ['default_unit', 'default_ingestion_unit'], (value) => value || null),
  },
  {
    id: 'blind-quantity-notes-lines',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'notes is a list of lines.',
    wrap: onCells(QUANTITIES, 'notes', (value) => (value === null ? null : String(value).split('\n'))),
  },
  {
    id: 'blind-formula-flag-text',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'log_scale is the string "true" or "false".',
    wrap: onCells(FORMULAS, 'log_scale', String),
  },
  {
    id: 'blind-formula-flag-letter',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'In a delta, booleans are the letters t and f of the text protocol.',
    wrap: onCells(FORMULAS, ['log_scale', 'disable_interpolation'], (value) => (value ? 't' : 'f'), filtered),
  },
  {
    id: 'blind-formula-state-ordinal',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'state is the position of the word in an enumeration.',
    wrap: onCells(FORMULAS, 'state', (value) =>
      ['ready', 'draft', 'error', 'computing'].indexOf(String(value)),
    ),
  },
  {
    id: 'blind-formula-as-tree',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'A formula with an operator is its syntax tree instead of its text.',
    wrap: onCells(FORMULAS, 'formula', (value) => {
      const [left, right] = String(value).split('/')
      return right === undefined ? value : { op: '/', left, right }
    }),
  },
  {
    id: 'blind-formula-unit-false',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'A missing default_unit or run_phase is false.',
    wrap: onCells(FORMULAS, ['default_unit', 'run_phase'], (value) => value ?? false),
  },
  {
    id: 'blind-formula-text-null-unless-ready',
    breaks: 'REQ-VIEW-TYPES:v_formulas',
    defect: 'A formula that is not ready has null as its expression.',
    wrap: onCells(FORMULAS, 'formula', (value, { row }) => (row['state'] === 'ready' ? value : null), star),
  },
  {
    id: 'blind-archive-id-number',
    breaks: 'REQ-VIEW-TYPES:v_archived_records',
    defect: 'record_id is read as a hexadecimal number.',
    wrap: onCells(ARCHIVE, 'record_id', (value) => Number(`0x${String(value)}`)),
  },
  {
    id: 'blind-archive-table-object',
    breaks: 'REQ-VIEW-TYPES:v_archived_records',
    defect: 'table_name is an object with schema and name.',
    wrap: onCells(ARCHIVE, 'table_name', (name) => ({ schema: 'public', name })),
  },
  {
    id: 'blind-archive-last-table-null',
    breaks: 'REQ-VIEW-TYPES:v_archived_records',
    defect: 'table_name is null for the kinds of record that were added last.',
    wrap: onCells(ARCHIVE, 'table_name', (value) => (/formula/.test(String(value)) ? null : value)),
  },
  {
    id: 'blind-experiment-schedule-false',
    breaks: 'REQ-VIEW-TYPES:v_experiments',
    defect: 'An experiment without a schedule has false as its scheduled times.',
    wrap: onCells(
      EXPERIMENTS,
      ['scheduled_start_timestamp', 'scheduled_end_timestamp'],
      (value) => value ?? false,
    ),
  },
  {
    id: 'blind-experiment-update-parts',
    breaks: 'REQ-VIEW-TYPES:v_experiments',
    defect: 'last_updated_at is a list of year, month and day.',
    wrap: onCells(EXPERIMENTS, 'last_updated_at', (value) =>
      String(value).slice(0, 10).split('-').map(Number),
    ),
  },
  {
    id: 'blind-experiment-external-id-null',
    breaks: 'REQ-VIEW-TYPES:v_experiments',
    defect: 'In a SELECT of named columns, the external id of the last experiment is null.',
    wrap: onCells(
      EXPERIMENTS,
      'external_id',
      (value, { index, rows }) => (index === rows.length - 1 ? null : value),
      named,
    ),
  },
  {
    id: 'blind-quantity-list-object-every-third',
    breaks: 'REQ-VIEW-TYPES:v_quantities',
    defect: 'In each third answer base_units is wrapped in an array by another serializer.',
    wrap: every(
      3,
      onCells(QUANTITIES, 'base_units', (value) => (isObject(value) ? [value] : value)),
    ),
  },
]
