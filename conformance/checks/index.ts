import { requirements } from '../../schemas/index.ts'
import type { Check } from './check.ts'
import { answerChecks } from './findings/same-values.ts'
import { answerSizeChecks } from './sql/all-rows.ts'
import { authChecks } from './auth.ts'
import { deltaStatementChecks } from './delta/statements.ts'
import { deltaTimeChecks } from './delta/times.ts'
import { deltaChecks } from './delta/rows.ts'
import { derivedChecks } from './views/timeseries.ts'
import { errorChecks } from './errors.ts'
import { httpChecks } from './http.ts'
import { joinChecks } from './join.ts'
import { referenceChecks } from './views/references.ts'
import { rowChecks } from './views/bioprocesses.ts'
import { searchChecks } from './search.ts'
import { securityChecks } from './security.ts'
import { observedChecks } from './observed.ts'
import { sqlChecks } from './sql/select.ts'
import { timeChecks } from './time.ts'
import { viewChecks } from './views/columns.ts'

const order = new Map(requirements.map(({ id }, index) => [id, index]))

/** Every check, in the order of the requirements. */
export const checks: readonly Check[] = [
  ...viewChecks,
  ...rowChecks,
  ...derivedChecks,
  ...referenceChecks,
  ...sqlChecks,
  ...answerChecks,
  ...answerSizeChecks,
  ...searchChecks,
  ...deltaStatementChecks,
  ...joinChecks,
  ...deltaChecks,
  ...deltaTimeChecks,
  ...httpChecks,
  ...authChecks,
  ...errorChecks,
  ...securityChecks,
  ...timeChecks,
  ...observedChecks,
].sort((a, b) => order.get(a.requirement)! - order.get(b.requirement)!)
