import { implement } from '../implement.ts'
import type { Rejection } from '../kinds.ts'

/** How many rows an answer may have, and how it treats a longer result. */
export interface RowLimit {
  readonly rows: number
  /** How a longer result is rejected; undefined: the answer ends at the limit. */
  readonly rejection?: Rejection
  /** A member that an answer gets in front of `status` if it leaves rows out, with its comma. */
  readonly member?: string
  /** Headers that lead to a page of the result, from 1; the query parameter `page` then chooses one. */
  readonly linkTo?: (page: number) => Readonly<Record<string, string>>
}

/** undefined: the number of rows is not limited. */
export const rowLimit = implement<'rows.max', RowLimit | undefined>('rows.max', {
  none: undefined,
  'cut-1000': { rows: 1000 },
  'error-1000': { rows: 1000, rejection: 'failed-statement' },
  '413-1000': { rows: 1000, rejection: 413 },
  'truncated-1000': { rows: 1000, member: '"truncated":true,' },
  'next-link-1000': { rows: 1000, linkTo: (page) => ({ link: `<?page=${page}>; rel="next"` }) },
})
