import { implement } from '../implement.ts'

/** The JSON text of a column without a value; undefined: the key is left out. */
export const nullText = implement<'rows.nulls', string | undefined>('rows.nulls', {
  null: 'null',
  omitted: undefined,
  'empty-string': '""',
})
