import { implement } from '../implement.ts'

/** The HTTP status for a body with keys beyond `statement`; undefined: they are ignored. */
export const extraKeysStatus = implement<'http.extra-keys', number | undefined>('http.extra-keys', {
  ignored: undefined,
  400: 400,
  422: 422,
})
