import { implement } from '../implement.ts'

/** The HTTP status for a relation that does not exist. */
export const unknownViewStatus = implement<'http.unknown-view', number>('http.unknown-view', {
  200: 200,
  400: 400,
  404: 404,
  422: 422,
  500: 500,
})
