import { type Mutant } from '../mutant.ts'
import { authMutants } from './auth.ts'
import { bodyMutants } from './bodies.ts'
import { combinationMutants } from './combinations.ts'
import { deltaMaximumMutants } from './delta-maximum.ts'
import { deltaMutants } from './delta.ts'
import { envelopeMutants } from './envelope.ts'
import { errorMutants } from './errors.ts'
import { eventMutants } from './events.ts'
import { existsMutants } from './exists.ts'
import { furtherMutants } from './further.ts'
import { idMutants } from './ids.ts'
import { joinMutants } from './join.ts'
import { limitMutants } from './limits.ts'
import { objectMutants } from './objects.ts'
import { rowLimitMutants } from './row-limits.ts'
import { selectMutants } from './select.ts'
import { statementMutants } from './statements.ts'
import { timestampMutants } from './timestamps.ts'
import { transportMutants } from './transport.ts'
import { listTypeMutants } from './types-lists.ts'
import { runTypeMutants } from './types-runs.ts'
import { seriesTypeMutants } from './types-series.ts'

/** Broken servers that were invented from the contract alone. */
export const blindMutants: readonly Mutant[] = [
  ...transportMutants,
  ...envelopeMutants,
  ...authMutants,
  ...existsMutants,
  ...runTypeMutants,
  ...seriesTypeMutants,
  ...listTypeMutants,
  ...timestampMutants,
  ...objectMutants,
  ...eventMutants,
  ...idMutants,
  ...selectMutants,
  ...rowLimitMutants,
  ...statementMutants,
  ...joinMutants,
  ...deltaMutants,
  ...deltaMaximumMutants,
  ...errorMutants,
  ...bodyMutants,
  ...limitMutants,
  ...combinationMutants,
  ...furtherMutants,
]
