import { contract } from '../../../schemas/index.ts'
import type { Target } from '../../connection/target.ts'
import { check, notExercised, observed, type Finding } from '../check.ts'

/** The form of an expression, with placeholders for letters and numbers: `(A*3)*B/100` -> `(L*N)*L/N`. */
const formOf = (expression: string): string =>
  expression
    .replaceAll(/\s+/g, '')
    .replaceAll(/\b[A-Z]\b/g, 'L')
    .replaceAll(/\b\d+(\.\d+)?\b/g, 'N')

async function formulaForms(t: Target): Promise<Finding> {
  const { rows, reply } = await t.sample('v_formulas')
  const expressions = rows.flatMap(({ formula }) => (typeof formula === 'string' ? [formula] : []))
  if (expressions.length === 0) return notExercised('there are no formulas')
  const seen = new Set(expressions.map(formOf))
  const forms = contract.formulaExpressions.filter((expression) => seen.has(formOf(expression)))
  const documented = new Set(contract.formulaExpressions.map(formOf))
  const others = expressions.filter((expression) => !documented.has(formOf(expression)))
  const rest = others.length > 0 ? `; ${others.length} of other forms` : ''
  return observed(
    `${expressions.length} formulas: forms like ${forms.join(', ') || 'none of the documented ones'}${rest}`,
    { exchanges: [reply.exchange] },
  )
}

export const formulaFormsCheck = check({
  id: 'formulas.forms',
  requirement: 'REQ-VIEW-FORMULA-FORMS',
  title: 'write formulas in the documented forms',
  killedBy: [],
  run: formulaForms,
})
