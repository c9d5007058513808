import { brokenStatements as statements } from '../generated/broken-statements.ts'
import { LONG_AGO } from '../connection/values/date-literal.ts'
import { randomOf, SEED } from '../connection/values/random.ts'
import type { Target } from '../connection/target.ts'

export type BrokenStatementRule = keyof typeof statements
export const brokenStatementRules = Object.keys(statements) as BrokenStatementRule[]

/** Statements that no grammar of SQL reads, by one rule; the same ones for the same number. */
export async function brokenStatements(
  t: Target,
  rule: BrokenStatementRule,
  count: number,
): Promise<string[]> {
  const date = await t.dateLiteral(LONG_AGO)
  const random = randomOf(SEED + brokenStatementRules.indexOf(rule))
  const parts: readonly (readonly string[])[] = statements[rule]
  return parts
    .flatMap((part) => random.spread(part, Math.ceil(count / parts.length)))
    .map((sql) => sql.replace(`'${LONG_AGO}'`, () => date))
}
