import { answerMutants } from './answers.ts'
import { authMutants } from './auth.ts'
import { bioprocessMutants } from './bioprocesses.ts'
import { consistencyMutants } from './consistency.ts'
import { deltaMutants } from './delta.ts'
import { errorMutants } from './errors.ts'
import { httpMutants } from './http.ts'
import { joinMutants } from './join.ts'
import type { Mutant } from '../mutant.ts'
import { referenceMutants } from './references.ts'
import { rowMutants } from './rows.ts'
import { securityMutants } from './security.ts'
import { sqlMutants } from './sql.ts'
import { timeMutants } from './time.ts'
import { timestampMutants } from './timestamps.ts'
import { viewMutants } from './views.ts'

/** All mutants. */
export const mutants: readonly Mutant[] = [
  ...viewMutants,
  ...timestampMutants,
  ...bioprocessMutants,
  ...rowMutants,
  ...consistencyMutants,
  ...referenceMutants,
  ...sqlMutants,
  ...answerMutants,
  ...joinMutants,
  ...deltaMutants,
  ...httpMutants,
  ...authMutants,
  ...errorMutants,
  ...securityMutants,
  ...timeMutants,
]
