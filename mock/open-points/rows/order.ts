import { implement } from '../implement.ts'

/** Fisher and Yates. */
function shuffle(rows: string[]): void {
  for (let left = rows.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1))
    ;[rows[left], rows[other]] = [rows[other] as string, rows[left] as string]
  }
}

/** Reorders the rows of a page, for statements without ORDER BY. */
export const reorderRows = implement<'rows.order', undefined | ((rows: string[]) => void)>('rows.order', {
  stable: undefined,
  random: shuffle,
})
