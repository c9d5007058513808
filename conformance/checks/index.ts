import { requirements } from '../../schemas/index.ts'
import type { Check } from './check.ts'
import { authChecks } from './auth.ts'
import { deltaColumnChecks } from './delta/columns.ts'
import { deltaRowChecks } from './delta/rows.ts'
import { deltaStatementChecks } from './delta/statements.ts'
import { deltaTimeChecks } from './delta/times.ts'
import { errorChecks } from './errors.ts'
import { httpChecks } from './http.ts'
import { joinChecks, joinedAtRestCheck, joinedValuesCheck } from './join.ts'
import { eachTimeChecks } from './replies/each-time.ts'
import { inParallelCheck } from './replies/in-parallel.ts'
import { wholeReplyChecks } from './replies/whole.ts'
import { searchChecks } from './search.ts'
import { securityChecks } from './security.ts'
import { allRowsChecks } from './sql/all-rows.ts'
import { emptyMessagesCheck } from './sql/empty-messages.ts'
import { encodingChecks } from './sql/encodings.ts'
import { limitKeptCheck } from './sql/limit-kept.ts'
import { limitChecks } from './sql/limit.ts'
import { sameValuesChecks } from './sql/same-values.ts'
import { selectChecks } from './sql/select.ts'
import { spellingChecks } from './sql/spellings.ts'
import { steadyChecks } from './replies/steady.ts'
import { timeChecks } from './time.ts'
import { bioprocessChecks } from './views/bioprocesses.ts'
import { columnChecks } from './views/columns.ts'
import { experimentParentsCheck } from './views/experiments.ts'
import { formulaResultChecks } from './views/formula-results.ts'
import { formulaFormsCheck } from './views/formulas.ts'
import { uniqueIdsCheck } from './views/ids.ts'
import { quantityDataChecks } from './views/quantity-data.ts'
import { referenceChecks } from './views/references.ts'
import { timeseriesChecks } from './views/timeseries.ts'
import { timestampChecks } from './views/timestamps.ts'
import { typeChecks } from './views/types.ts'
import { wholeChecks } from './whole.ts'

const order = new Map(requirements.map(({ id }, index) => [id, index]))

/**
 * Every check, in the order of the requirements.
 * @example const ids = checks.map(({ id }) => id)
 */
export const checks: readonly Check[] = [
  ...columnChecks,
  ...typeChecks,
  ...timestampChecks,
  ...bioprocessChecks,
  ...quantityDataChecks,
  uniqueIdsCheck,
  ...timeseriesChecks,
  ...formulaResultChecks,
  formulaFormsCheck,
  experimentParentsCheck,
  ...referenceChecks,
  ...selectChecks,
  ...limitChecks,
  limitKeptCheck,
  ...allRowsChecks,
  ...encodingChecks,
  emptyMessagesCheck,
  ...spellingChecks,
  joinedAtRestCheck,
  ...sameValuesChecks,
  joinedValuesCheck,
  ...searchChecks,
  ...wholeChecks,
  ...deltaStatementChecks,
  ...deltaColumnChecks,
  ...deltaRowChecks,
  ...deltaTimeChecks,
  ...joinChecks,
  ...httpChecks,
  ...authChecks,
  ...steadyChecks,
  ...errorChecks,
  ...securityChecks,
  ...timeChecks,
  ...wholeReplyChecks,
  ...eachTimeChecks,
  inParallelCheck,
].sort((a, b) => order.get(a.requirement)! - order.get(b.requirement)!)
