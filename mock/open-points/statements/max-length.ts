import { implement } from '../implement.ts'
import type { Rejection } from '../kinds.ts'

/** How a statement longer than 1 MiB is rejected; undefined: only the length of the body is limited. */
export const longStatement = implement<'statements.max-length', Rejection | undefined>(
  'statements.max-length',
  { 413: 413, none: undefined, 414: 414, 400: 400, error: 'failed-statement', reset: 'reset' },
)
