import { keysetPages } from '../rows/keyset.ts'
import { conditionOf, POINTS, type Span } from './point-span.ts'
import type { ReadView } from '../rows/read-view.ts'
import { type Row, textOf } from '../rows/rows.ts'

/** Each page repeats the points of the last one that share its last id and printed time; they are left out. */
export async function* byKeyset(
  read: ReadView,
  span: Span,
  pageSize: number,
  signal: AbortSignal | undefined,
) {
  const readPage = (part: object) => read({ view: POINTS, ...part }, signal)
  let repeated = new Map<string, number>()
  for await (const page of keysetPages(readPage, ['id', 'timestamp'], {
    base: conditionOf(span),
    pageSize,
  })) {
    yield withoutRepeated(page, repeated)
    const last = page.at(-1)
    const atEnd = page.filter(({ id, timestamp }) => id === last!['id'] && timestamp === last!['timestamp'])
    repeated = countsOf(atEnd)
  }
}

/** Equal points may be stored more than once, so each is left out as often as it was given. */
const withoutRepeated = (page: Row[], repeated: Map<string, number>): Row[] =>
  repeated.size === 0
    ? page
    : page.filter((row) => {
        const left = repeated.get(textOf(row)) ?? 0
        if (left > 0) repeated.set(textOf(row), left - 1)
        return left === 0
      })

function countsOf(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(textOf(row), (counts.get(textOf(row)) ?? 0) + 1)
  return counts
}
