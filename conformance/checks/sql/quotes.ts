import { inAYear, LONG_AGO } from '../../connection/values/date-literal.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import { multiset, type Target } from '../../connection/target.ts'
import { check, compared, fail, inconclusive, notExercised, type Finding } from '../check.ts'
import { refusal } from '../findings/refused.ts'

/** The rows of a reply in any order. */
const rowsText = ({ data }: Reply): string => multiset(data)

async function quotes(t: Target): Promise<Finding> {
  const sql = `SELECT id FROM v_quantities WHERE last_updated_at > ${await t.dateLiteral(LONG_AGO)}`
  const plain = JSON.stringify({ statement: sql })
  const escaped = plain.replaceAll("'", String.raw`\u0027`)
  const [first, second] = [await t.send(plain), await t.send(escaped)]
  const exchanges = [first.exchange, second.exchange]
  if (!first.ok && !second.ok)
    return notExercised(`a quoted literal is refused in both encodings: ${describeReply(first)}`, {
      exchanges,
    })
  const refused =
    (await refusal(t, "A statement with its quotes sent as '", first, [])) ??
    (await refusal(t, 'A statement with its quotes sent as \\u0027', second, []))
  if (refused) return refused
  if (rowsText(first) !== rowsText(second)) {
    const [secondAgain, firstAgain] = [await t.send(escaped), await t.send(plain)]
    if (rowsText(firstAgain) !== rowsText(first) || rowsText(secondAgain) !== rowsText(second))
      return inconclusive('rows of v_quantities changed while they were compared', {
        exchanges,
        concurrentChange: true,
      })
    return fail({
      message: "the same statement gets another reply if its quotes are sent as \\u0027 instead of '",
      expected: describeReply(first),
      actual: describeReply(second),
      exchanges,
    })
  }
  // The rows of all dates do not show whether the filter was lost.
  const future = `SELECT id FROM v_bioprocesses WHERE last_updated_at > ${await t.dateLiteral(inAYear())}`
  const none = await t.send(JSON.stringify({ statement: future }).replaceAll("'", String.raw`\u0027`))
  if (none.ok && none.data.length > 0 && (await t.query(future)).data.length === 0)
    return fail({
      message: 'a filter has no effect if its quotes are sent as \\u0027',
      expected: 'data []',
      actual: describeReply(none),
      exchanges: [none.exchange],
    })
  const identifiers = await t.query('SELECT "id" FROM "v_quantities" LIMIT 1')
  const observed = `identifiers in double quotes are ${identifiers.ok ? 'accepted' : 'refused'}`
  return compared(2, 'reply', `same rows for ' and \\u0027; ${observed}`, { exchanges })
}

export const quotesCheck = check({
  id: 'sql.quotes',
  requirement: 'REQ-SQL-9',
  title: 'accept both JSON encodings of quotes in a statement',
  killedBy: [
    'quotes-escaped-refused',
    'quotes-plain-refused',
    'quotes-escaped-lose-filter',
    'quotes-escaped-end-statement',
  ],
  run: quotes,
})
