import { capped, type Cap, type ReadOrder } from '../caps.ts'
import { judge, type LimitedReference } from './self-proof.ts'

const orders: readonly ReadOrder[] = ['insertion', 'oldest', 'newest', 'oldest-in-deltas', 'newest-in-deltas']
const rows = [1, 2, 3, 5, 10, 25, 40, 50, 64, 75, 96, 100, 128, 130, 140, 200, 256, 384, 500, 1000, 2000]
const kibibytes = [16, 64, 128, 256, 512]

const all: Cap[] = orders.flatMap((order) => [
  ...rows.map((count) => ({ rows: count, order })),
  ...kibibytes.map((count) => ({ bytes: count * 1024, order })),
  ...[1, 10, 50, 100, 500].map((count) => ({ rows: count, order, withoutLimit: true })),
])

const nameOf = ({ rows, bytes, order, withoutLimit }: Cap): string =>
  `${rows === undefined ? `${bytes! / 1024} KiB` : `${rows} rows`}${withoutLimit ? ' without LIMIT' : ''}, ${order}`

/** Caps by name. `few` are some of them, each of which once made a check blame the target. */
const named = all.map((cap) => [nameOf(cap), cap] as const)
const FEW = [
  '3 rows, insertion',
  '25 rows, newest',
  '64 rows, oldest',
  '140 rows, newest-in-deltas',
  '64 KiB, newest',
  '50 rows without LIMIT, newest',
]
const isFew = ([name]: (typeof named)[number]): boolean => FEW.includes(name)
export const caps = { all: named, few: named.filter(isFew) }

/** Judges a target with a cap, which concerns no check of requests and errors. */
const judgeCap = (reference: LimitedReference, cap: Cap) =>
  judge(reference, [], capped(cap), { skip: ['time.*', 'auth.*', 'http.*', 'errors.*', 'security.*'] })

/** The failures, warnings and contradictions for a target with a cap. */
export async function blamed(reference: LimitedReference, cap: Cap): Promise<string[]> {
  const { checks } = await judgeCap(reference, cap)
  return checks
    .filter(({ outcome, expected }) =>
      outcome === 'observed' ? expected !== undefined : ['fail', 'warn', 'error'].includes(outcome),
    )
    .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)
}
