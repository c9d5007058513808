import { implement } from '../implement.ts'

/** The HTTP status for a content type other than JSON; undefined: every content type is accepted. */
export const contentTypeStatus = implement<'http.content-type', number | undefined>('http.content-type', {
  415: 415,
  ignored: undefined,
  400: 400,
  422: 422,
})
