import { implement } from '../implement.ts'

/** How a text without a statement is treated. */
export interface EmptyText {
  /** It runs and gives no rows. */
  readonly runs?: true
  /** The HTTP status of the refusal; undefined: that of any other error. */
  readonly status?: number
}

export const emptyText = implement<'sql.empty', EmptyText>('sql.empty', {
  error: {},
  success: { runs: true },
  400: { status: 400 },
  422: { status: 422 },
})
