import { implement } from '../implement.ts'

/**
 * Whether the answer to a failed statement tells its cause.
 *
 * @param isOutside whether the statement failed outside of the database
 */
export const tellsCause = implement<'errors.generic', (isOutside: boolean) => boolean>('errors.generic', {
  'all-other': () => false,
  'non-sql-only': (isOutside) => !isOutside,
  never: () => true,
})
