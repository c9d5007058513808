import { changeViews, column, type Expression } from '../view-change.ts'

const data = (expression: Expression) => column('v_formula_results', 'data', expression)

export const formulaResultData = changeViews('formula-results.data', {
  'value-unit-r2-n': undefined,
  'value-unit': data((own) => `${own} - 'r2' - 'n'`),
  value: data(
    (own) => `CASE WHEN ${own} IS NOT NULL THEN jsonb_build_object('value', ${own} -> 'value') END`,
  ),
  'bare-number': data((own) => `${own} -> 'value'`),
})
