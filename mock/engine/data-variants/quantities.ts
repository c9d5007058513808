import { type Changes, column, type Expression } from './view-change.ts'

/** Other words for those of a column; what is not among them stays. */
const words =
  (other: Readonly<Record<string, string>>): Expression =>
  (own) =>
    `CASE ${own} ${Object.entries(other)
      .map(([word, to]) => `WHEN '${word}' THEN '${to}'`)
      .join(' ')} ELSE ${own} END`

const values = 'v_bioprocess_quantity_data'

/** A value that is a number or reads as one, as other JSON; `number` stands for it. */
const numeric =
  (json: (number: string) => string): Expression =>
  (own) =>
    `CASE WHEN ${own} #>> '{}' ~ '^-?[0-9]+([.][0-9]+)?$' THEN ${json(`(${own} #>> '{}')::numeric`)} ELSE ${own} END`

/** The knobs of quantities and their values, and of what was archived. */
export const quantityChanges = {
  'measurement-info.shape': {
    null: column(values, 'measurement_info', () => 'NULL::jsonb'),
    'labels-list': column(
      values,
      'measurement_info',
      (own) =>
        `CASE WHEN ${own} IS NOT NULL THEN jsonb_build_object('labels', jsonb_path_query_array(${own}, '$.labels.*')) END`,
    ),
  },
  'quantity-data.value': {
    number: column(
      values,
      'value',
      numeric((number) => `to_jsonb(${number})`),
    ),
    string: column(
      values,
      'value',
      numeric((number) => `to_jsonb(${number}::text)`),
    ),
    'decimal-string': column(
      values,
      'value',
      numeric(
        (number) =>
          `to_jsonb(CASE WHEN scale(${number}) = 0 THEN ${number} || '.0' ELSE ${number}::text END)`,
      ),
    ),
  },
  'quantities.data-type': {
    'float-integer-string-boolean': column(
      'v_quantities',
      'data_type',
      words({ numeric: 'float', text: 'string', date: 'string' }),
    ),
    'number-text-categorical': column(
      'v_quantities',
      'data_type',
      words({ numeric: 'number', text: 'categorical', date: 'text' }),
    ),
    'upper-case': column('v_quantities', 'data_type', (own) => `upper(${own})`),
  },
  'base-units.shape': {
    empty: column('v_quantities', 'base_units', () => `'{}'::jsonb`),
    'unit-text': column(
      'v_quantities',
      'base_units',
      () => `CASE base.default_unit WHEN '' THEN '{}' ELSE jsonb_build_object('unit', base.default_unit) END`,
    ),
  },
  'archived-records.table-name': {
    view: column('v_archived_records', 'table_name', (own) => `'v_' || ${own}`),
  },
} satisfies Record<string, Changes>
