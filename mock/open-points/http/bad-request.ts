import { implement } from '../implement.ts'

/** The HTTP status for JSON without a string `statement`. */
export const badRequestStatus = implement<'http.bad-request', number>('http.bad-request', {
  400: 400,
  422: 422,
  '200-envelope': 200,
  500: 500,
})
