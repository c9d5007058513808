import type { ViewName } from '../../../schemas/index.ts'
import { BudgetSpent } from './budget.ts'
import { readByKey } from './by-key.ts'
import { readByTime } from './by-time.ts'
import { openReader, type Batch, type Position, type Reader, type Session, type ViewEnd } from './reader.ts'
import { readWhole, type Whole } from './whole.ts'

/**
 * Reads a view in batches: in one answer if the service gives it, otherwise in pages.
 *
 * Documented statements have no order and no upper bound, so they page only through a service that answers deltas oldest
 * first. With `undocumented`, pages follow the key of the view.
 *
 * @param from where an earlier reading stopped
 * @throws BudgetSpent after it has yielded the rows read so far
 */
export async function* readView(
  session: Session,
  view: ViewName,
  from?: Position,
): AsyncGenerator<Batch, ViewEnd> {
  const reader = await openReader(session, view)
  if (typeof reader === 'string') return { missing: reader }
  if (from?.by === 'key') return yield* readByKey(reader, from.limit, from)
  if (from?.by === 'time') return yield* readByTime(reader, from.limit, from.last)
  const whole = await readWhole(reader)
  if (whole.kind === 'refused') return { missing: whole.why }
  if (whole.kind === 'part') return yield* readPages(reader, whole)
  yield { rows: whole.rows }
  if (whole.kind === 'spent') throw new BudgetSpent(whole.why)
  return {}
}

/** Reads a view in pages, and keeps its largest answer if there is no first page. */
async function* readPages(
  reader: Reader,
  { rows, limit, why }: Extract<Whole, { kind: 'part' }>,
): AsyncGenerator<Batch, ViewEnd> {
  const pages = pagesOf(reader, limit)
  let first
  try {
    first = await pages.next()
  } catch (error) {
    if (error instanceof BudgetSpent) yield { rows }
    throw error
  }
  if (first.done) {
    yield { rows }
    return { missing: `${why} ${first.value.missing ?? 'There are no pages.'}` }
  }
  yield first.value
  return yield* pages
}

async function* pagesOf(reader: Reader, limit: number): AsyncGenerator<Batch, ViewEnd> {
  if (reader.undocumented) return yield* readByKey(reader, limit)
  if (reader.columns.some(({ name }) => name === 'last_updated_at')) return yield* readByTime(reader, limit)
  return { missing: 'No documented statement reads the rest.' }
}
