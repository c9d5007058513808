import type { Cap } from '../caps.ts'
import type { Reference } from '../../../mock/index.ts'
import { contract } from '../../../schemas/index.ts'
import type { Recording } from '../../../client/twin/index.ts'
import { answerOf } from '../../e2e/support/twin.ts'

const orders = ['insertion', 'oldest', 'newest', 'oldest-in-deltas', 'newest-in-deltas'] as const
const all: Cap[] = orders.flatMap((order) => [
  ...[1, 2, 3, 7, 25, 40, 53, 100, 500, 2000].map((rows) => ({ rows, order })),
  ...[8, 16, 64, 256].map((kibibytes) => ({ bytes: kibibytes * 1024, order })),
])
const isFew = ({ rows, bytes, order }: Cap): boolean =>
  (rows === 40 && order !== 'insertion') || (bytes === 16 * 1024 && order === 'oldest-in-deltas')

/** Caps without notice; `few` are those of `npm test`. */
export const caps = { few: all.filter(isFew), others: all.filter((cap) => !isFew(cap)) }

/** The row counts of all views. */
export async function countsOf(server: Reference): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {}
  for (const view of contract.views)
    counts[view] = (await answerOf(server, `SELECT count(*) AS n FROM ${view}`)).data[0]!['n']
  return counts
}

/** The views that lack rows although the recording calls them complete. */
export const silentlyCut = ({ views }: Recording, counts: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(views).flatMap(([view, { rows, complete }]) =>
    complete && rows !== counts[view] ? [view] : [],
  )
