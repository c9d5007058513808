import { implement } from '../implement.ts'

/** Encodes the text of a JSON value. */
export const jsonEncoding = implement<'json.encoding', undefined | ((json: string) => string)>(
  'json.encoding',
  {
    native: undefined,
    // only objects and arrays: strings and numbers stay as they are
    text: (json) => (/^[[{]/.test(json) ? JSON.stringify(json) : json),
  },
)
