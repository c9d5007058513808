import type { Continuation } from './delta-reads.ts'
import type { Rule } from './rule.ts'
import { Tally } from './tally.ts'

const NOTHING = 'No read of changes continued an earlier one with readable times.'

/** A rule over pairs of reads. @param judge undefined if the pair does not show it; else whether it is kept, and the exchanges */
function perContinuation(
  tally: Tally,
  judge: (continuation: Continuation) => { isKept: boolean; shownBy: number[] } | undefined,
): Rule {
  return {
    add: ({ continuation }) => {
      const judged = continuation && judge(continuation)
      if (judged) tally.judge(judged.isKept, ...judged.shownBy)
    },
    finding: () => tally.finding(),
  }
}

/** REQ-DELTA-5: a read with `>` after the newest time read omits further rows with that time. */
export const tiesKept = (): Rule =>
  perContinuation(
    new Tally('REQ-DELTA-5', {
      unit: 'reads of changes',
      kept: 'none omits rows that share the newest time read before',
      broken: 'last_updated_at is greater than the newest time read before, which omits rows that share it',
      remedy: 'Begin earlier, or use >=, and store rows by id.',
      nothing: NOTHING,
    }),
    ({ read, bound, newest, last, number }) =>
      newest === undefined || bound > newest || bound === last?.upper
        ? undefined
        : {
            isKept: bound < newest || read.comparison !== '>',
            shownBy: [...(last ? [last.number] : []), number],
          },
  )

/** REQ-DELTA-8: a read that begins at the newest time read misses rows that appear later with an older time. */
export const lateRowsKept = (): Rule =>
  perContinuation(
    new Tally('REQ-DELTA-8', {
      unit: 'reads of changes',
      kept: 'each goes back behind the newest time read before',
      broken: 'the read begins at the newest time read before, which misses rows that appear late',
      remedy: 'Begin a minute earlier than the newest time read, and store rows by id.',
      nothing: NOTHING,
    }),
    ({ read, bound, newest, last, number }) =>
      // the next page or chunk of one load is no new load
      newest === undefined ||
      bound > newest ||
      bound === last?.upper ||
      last?.isFullPage ||
      read.comparison === 'row'
        ? undefined
        : { isKept: bound < newest, shownBy: [...(last ? [last.number] : []), number] },
  )

/** REQ-DELTA-9: after an answer with missing rows, the next read begins where that one began, or earlier. */
export const cutAnswersReadAgain = (): Rule =>
  perContinuation(
    new Tally('REQ-DELTA-9', {
      unit: 'reads of changes after an answer with missing rows',
      kept: 'each begins where the rows of that answer began, or earlier',
      broken: 'the read begins after rows of an answer that was truncated or limited without an order',
      remedy: 'Repeat the read from the last complete one, in smaller parts.',
      nothing: 'No read of changes followed an answer with missing rows.',
    }),
    ({ bound, cut, newest, number }) => {
      if (cut?.newest === undefined) return undefined
      // a bound beyond the rows of the answer has another source, and so has any other one after a mere sample
      const isSample = cut.cut === 'limited' && cut.bound === undefined
      if (bound > cut.newest || (isSample && bound !== cut.newest)) return undefined
      const start = cut.bound ?? cut.oldest! - 1n
      const allowed = newest !== undefined && newest > start ? newest : start
      return { isKept: bound <= allowed, shownBy: [cut.number, number] }
    },
  )
