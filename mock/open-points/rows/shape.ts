import { implement } from '../implement.ts'

/** The shape of a row. */
export interface RowShape {
  /** A row is an array of values. */
  readonly isArray?: true
  /** The envelope has a member `columns` with the names of the columns. */
  readonly listsColumns?: true
  /** The key of a column that comes from the view with the alias `source`; undefined: its name. */
  readonly key?: (name: string, source: string | undefined) => string
  /** Puts something around the object. */
  readonly wrap?: (object: string) => string
}

export const rowShape = implement<'rows.shape', RowShape>('rows.shape', {
  object: {},
  'array-with-columns': { isArray: true, listsColumns: true },
  array: { isArray: true },
  wrapped: { wrap: (object) => `{"row":${object}}` },
  prefixed: { key: (name, source) => (source ? `${source}.${name}` : name) },
})
