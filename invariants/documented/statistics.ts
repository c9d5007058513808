import { unless, type Problems } from '../invariant.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { statisticKeys } from '../statistics.ts'

/** These are numbers even where there is no value. */
const always: readonly string[] = ['sum', 'count']

/** A statistics object has its eight keys: sum and count are numbers, the others are numbers or null. */
export function statisticsProblems({ statistics }: Row): Problems {
  if (!isRecord(statistics)) return [say`statistics is ${statistics}, not an object.`]
  return statisticKeys.flatMap((key) => {
    const value = statistics[key]
    const allowed = typeof value === 'number' || (value === null && !always.includes(key))
    return unless(
      allowed,
      say`${words(`statistics.${key}`)} is ${value}, not a number${words(always.includes(key) ? '' : ' or null')}.`,
    )
  })
}
