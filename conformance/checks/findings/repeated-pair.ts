import { answerOf } from '../../answers/answers.ts'
import { askIfPossible } from '../../answers/ask.ts'
import { readerOf, type Difference, type Shown } from '../../answers/differences.ts'
import { anyMoment } from '../../answers/moving.ts'
import type { Target } from '../../connection/target.ts'

/** Differences between the same two answers. */
export type Pair = readonly [Difference, ...Difference[]]

/** What the repetitions of the two statements show of a value: undefined where the row is missing. */
export type Seen = readonly [first: (Shown | undefined)[], second: (Shown | undefined)[]]

/** What repetitions say of a difference: it may still be a change, it is proven, or it is none. */
export type Judged = 'open' | 'proven' | 'refuted'

/** Judges a difference by what the repetitions have shown. */
export type Judge = (difference: Difference, seen: Seen, isLast: boolean) => Judged

/** A round asks each of two statements twice, in one of these orders, so that copies that take turns mix differently. */
const ORDERS = ['0011', '0110', '1001', '1100', '0101', '1010']

/** How often both statements are asked twice. */
export const ROUNDS = 9

/** Most differences between two answers that are judged: an answer may be wrong in every value. */
const MOST_JUDGED = 1000

/** Groups differences by the two answers. */
export function pairsOf(differences: readonly Difference[]): Pair[] {
  const pairs = new Map<string, [Difference, ...Difference[]]>()
  for (const one of differences) {
    const name = [one.view, one.first.answer.sql, one.second.answer.sql].join('\n')
    const known = pairs.get(name)
    if (known) known.push(one)
    else pairs.set(name, [one])
  }
  return [...pairs.values()]
}

/** Repeats the statements of two answers until a difference is proven, or all are refuted. */
export async function repeat(t: Target, pair: Pair, judge: Judge): Promise<[Difference, Judged][]> {
  const [{ view, first, second }] = pair
  const seen = new Map<Difference, Seen>(pair.slice(0, MOST_JUDGED).map((one) => [one, [[], []]]))
  let judged: [Difference, Judged][] = []
  for (let round = 1; round <= ROUNDS; round++) {
    if (round > 1) await anyMoment(t)
    for (const which of ORDERS[Math.floor(Math.random() * ORDERS.length)]!)
      await askIfPossible(async () => {
        const { answer } = which === '0' ? first : second
        const reply = await t.query(answer.sql!)
        const read = readerOf(answerOf(reply.exchange), view)
        if (reply.ok) for (const [one, shown] of seen) shown[which === '0' ? 0 : 1].push(read(one))
      })
    judged = [...seen].map(([one, shown]) => [one, judge(one, shown, round === ROUNDS)])
    if (judged.some(([, is]) => is === 'proven') || judged.every(([, is]) => is === 'refuted')) break
  }
  return judged
}
