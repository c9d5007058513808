import { implement } from '../implement.ts'

/** Why a semicolon after a statement is refused; undefined: it is accepted. */
export const semicolonRefusal = implement<'sql.semicolon', string | undefined>('sql.semicolon', {
  accepted: undefined,
  error: 'This server accepts no semicolon after a statement. Leave it out.',
})
