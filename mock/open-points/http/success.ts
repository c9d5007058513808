import { implement } from '../implement.ts'

/** The HTTP status of an answer with rows. */
export const successStatus = implement<'http.success', number>('http.success', {
  200: 200,
  201: 201,
  202: 202,
  207: 207,
})
