import { authMutants } from './auth.ts'
import { bioprocessMutants } from './bioprocesses.ts'
import { deltaMutants } from './delta.ts'
import { errorMutants } from './errors.ts'
import { experimentMutants } from './experiments.ts'
import { formulaResultMutants } from './formula-results.ts'
import { httpMutants } from './http.ts'
import { idMutants } from './ids.ts'
import { joinMutants } from './join.ts'
import type { Mutant } from '../mutant.ts'
import { quantityDataMutants } from './quantity-data.ts'
import { replyMutants, steadyMutants } from './replies.ts'
import { referenceMutants } from './references.ts'
import { securityMutants } from './security.ts'
import { sqlMutants } from './sql.ts'
import { timeMutants } from './time.ts'
import { timeseriesMutants } from './timeseries.ts'
import { timestampMutants } from './timestamps.ts'
import { viewMutants } from './views.ts'

/** All mutants. */
export const mutants: readonly Mutant[] = [
  ...viewMutants,
  ...timestampMutants,
  ...bioprocessMutants,
  ...quantityDataMutants,
  ...idMutants,
  ...timeseriesMutants,
  ...formulaResultMutants,
  ...experimentMutants,
  ...referenceMutants,
  ...sqlMutants,
  ...joinMutants,
  ...deltaMutants,
  ...httpMutants,
  ...authMutants,
  ...errorMutants,
  ...steadyMutants,
  ...securityMutants,
  ...timeMutants,
  ...replyMutants,
]
