import { changeViews, column, type Expression } from '../view-change.ts'

const dataType = (expression: Expression) => column('v_quantities', 'data_type', expression)

/** Puts other words in place of those of the column; a word without another stays. */
const words = (other: Readonly<Record<string, string>>) =>
  dataType(
    (own) =>
      `CASE ${own} ${Object.entries(other)
        .map(([word, to]) => `WHEN '${word}' THEN '${to}'`)
        .join(' ')} ELSE ${own} END`,
  )

export const quantityDataType = changeViews('quantities.data-type', {
  'numeric-text-date': undefined,
  'float-integer-string-boolean': words({ numeric: 'float', text: 'string', date: 'string' }),
  'number-text-categorical': words({ numeric: 'number', text: 'categorical', date: 'text' }),
  'upper-case': dataType((own) => `upper(${own})`),
})
