import { implement } from '../implement.ts'

/** The HTTP status for an error that has no setting of its own. */
export const exceptionStatus = implement<'http.exception', number>('http.exception', {
  200: 200,
  400: 400,
  500: 500,
  502: 502,
})
