import { isComplete } from '../samples/whole.ts'
import type { Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { canonical, type Json } from '../connection/values/json.ts'
import { answersOf, questionIn } from './answers.ts'
import { documentedIn } from './documented.ts'

/** A statement with its response. */
interface Answered {
  sql: string
  reply: Reply
}

/** Whether no cap on responses can have ended an answer: beside the largest of the run, or beside a longer one of its statement. */
export const isBelowCap = async (t: Target, answered: Answered): Promise<boolean> =>
  (await isComplete(t, answered)) || hasLonger(t, answered)

const sizeOf = (row: Json): number => canonical(row).length
const bytesOf = (rows: readonly Json[]): number => rows.reduce<number>((sum, row) => sum + sizeOf(row), 0)

/**
 * Whether the same statement got a longer answer in another spelling or with another LIMIT. The longer answer must have room for two
 * more rows of any size: then no cap on bytes ended the shorter one.
 */
function hasLonger(t: Target, { reply: { data, exchange } }: Answered): boolean {
  const { limit = Infinity } = questionIn(exchange).statement ?? {}
  const form = formOf(exchange)
  if (form === undefined || data.length >= limit) return false
  const bytes = bytesOf(data)
  return answersOf(t).some(({ reply }) => {
    if (!reply.ok || reply.data.length <= data.length || formOf(reply.exchange) !== form) return false
    return bytes + 2 * Math.max(...reply.data.map(sizeOf)) <= bytesOf(reply.data)
  })
}

/** Equal for statements that differ in their spelling only, and in their LIMIT if both have one and no filter. */
function formOf(exchange: Reply['exchange']): string | undefined {
  const documented = documentedIn(exchange, 'any')
  if (!documented) return undefined
  const { meaning, limit, sql } = documented
  const [date] = /\d{4}-\d\d-\d\d/.exec(sql) ?? []
  return JSON.stringify([meaning, date, / WHERE /i.test(sql) ? limit : limit !== undefined])
}
