import type { Reading } from '../../syntax/reading.ts'
import type { Page } from './result.ts'

const comma = new TextEncoder().encode(',')

/**
 * The pages of several statements as those of one; each runs after those before it. The columns are those of the first
 * statement that is not silent.
 *
 * @param results the pages of each statement
 * @param statements the statements
 */
export async function* oneAfterTheOther(
  results: readonly AsyncGenerator<Page, void>[],
  statements: readonly Pick<Reading, 'silent'>[],
): AsyncGenerator<Page, void> {
  let columns: Page['columns'] | undefined
  let isEmpty = true
  for (const [index, pages] of results.entries()) {
    const isLast = index === results.length - 1
    let isFirstPage = true
    for await (const page of pages) {
      if (statements[index]!.silent) continue
      columns ??= page.columns
      const hasRows = page.chunks.some(({ length }) => length > 0)
      const chunks = hasRows && isFirstPage && !isEmpty ? [comma.slice(), ...page.chunks] : page.chunks
      if (hasRows) [isEmpty, isFirstPage] = [false, false]
      yield { columns, chunks, last: page.last && isLast }
    }
  }
}
