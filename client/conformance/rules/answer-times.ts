import { isJson } from '../../../base/text/json-text.ts'
import { nanosecondsOf, readTimestamp } from '../../../base/time/timestamp.ts'
import type { Exchange } from './exchange.ts'
import type { ChangesRead } from './statement-text.ts'

/** What an answer shows about the changes it holds. Times are in nanoseconds since 1970. */
export interface AnswerTimes {
  /** The oldest and the newest last_updated_at; absent without rows. */
  readonly oldest?: bigint
  readonly newest?: bigint
  /** Why rows may be missing; undefined for a complete result. */
  readonly cut?: 'truncated' | 'limited'
  /** Whether it is a full page in the order of the times, so that the next page begins at its end. */
  readonly isFullPage: boolean
}

/** Keys in any letter case, also behind the name of the view. Rows as arrays have no keys and show nothing. */
const TIME = /"(?:\w+\.)?last_?updated_?at"\s*:\s*"([^"]*)"/gi

/** The instant of a timestamp; undefined for any other text. */
export function instantOf(text: string): bigint | undefined {
  const timestamp = readTimestamp(text)
  return timestamp && nanosecondsOf(timestamp)
}

/** Reads the answer to a read of changes; undefined if it is an error or only its beginning was recorded. */
export function answerTimes({ answer, ending }: Exchange, read: ChangesRead): AnswerTimes | undefined {
  if (answer === undefined || answer.status >= 300) return undefined
  const { text, isWhole } = answer.body
  // a body that was cut but ended like a complete one is no JSON
  const isComplete = ending === 'complete' && isJson(text)
  if (!isWhole || (isComplete && !/"state"\s*:\s*"success"/.test(text))) return undefined
  const times = [...text.matchAll(TIME)].flatMap(([, time]) => instantOf(time!) ?? [])
  const isFull = read.limit !== undefined && times.length >= read.limit
  const announced = /"truncated"\s*:\s*true/.test(text) || /\brel="?next\b/.test(answer.headers['link'] ?? '')
  const cut = !isComplete || announced ? 'truncated' : isFull && !read.isOrdered ? 'limited' : undefined
  if (times.length === 0) return { isFullPage: false, ...(cut && { cut }) }
  const [oldest, newest] = [times.reduce((a, b) => (a < b ? a : b)), times.reduce((a, b) => (a > b ? a : b))]
  return { oldest, newest, isFullPage: isFull && read.isOrdered, ...(cut && { cut }) }
}
