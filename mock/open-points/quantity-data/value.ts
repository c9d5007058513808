import { changeViews, column } from '../view-change.ts'

/** Writes a value that is a number, or a string that reads as one, as other JSON. */
const numeric = (json: (number: string) => string) =>
  column(
    'v_bioprocess_quantity_data',
    'value',
    (own) =>
      `CASE WHEN ${own} #>> '{}' ~ '^-?[0-9]+([.][0-9]+)?$' THEN ${json(`(${own} #>> '{}')::numeric`)} ELSE ${own} END`,
  )

export const quantityDataValue = changeViews('quantity-data.value', {
  mixed: undefined,
  number: numeric((number) => `to_jsonb(${number})`),
  string: numeric((number) => `to_jsonb(${number}::text)`),
  'decimal-string': numeric(
    (number) => `to_jsonb(CASE WHEN scale(${number}) = 0 THEN ${number} || '.0' ELSE ${number}::text END)`,
  ),
})
