import { contract, type ViewName } from '../../../schemas/index.ts'
import { check, compared, fail, notExercised, observed, type Check, type Finding } from '../check.ts'
import { showPlain } from '../../connection/values/json.ts'
import { emptyAnswers } from '../../answers/answers.ts'
import { askIfPossible } from '../../answers/ask.ts'
import { refusal } from '../findings/refused.ts'
import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { overViews } from '../findings/over-views.ts'

const { column, views: deltaViews } = contract.delta
const anyOf = (name: ViewName): string => `SELECT ${column} FROM ${name} LIMIT 1`

async function acceptsDate(t: Target): Promise<Finding> {
  const spelling = await t.dateSpelling()
  return overViews(deltaViews, 'view', `accepts a bound as ${spelling.variant}`, async (name) => {
    const reply = await t.everythingSince(name, spelling)
    const refused = await refusal(t, `A date literal as bound of ${name}`, reply, [anyOf(name)])
    return refused?.outcome === 'not-exercised' ? 0 : (refused ?? 1)
  })
}

async function acceptsSubquery(t: Target): Promise<Finding> {
  const sql = `SELECT * FROM v_timeseries WHERE ${column} > (SELECT MAX(${column}) FROM v_bioprocesses)`
  const reply = await t.shared(sql)
  const refused = await refusal(t, 'A scalar subquery as bound', reply, [
    anyOf('v_timeseries'),
    anyOf('v_bioprocesses'),
  ])
  return refused ?? compared(1, 'statement', 'accepted', { exchanges: [reply.exchange] })
}

/** A delta without rows must be a success, not an error. */
async function emptyDelta(t: Target): Promise<Finding> {
  const reply = await t.emptyDelta()
  const everything = await t.everythingSince('v_bioprocesses', await t.dateSpelling())
  const exchanges = [everything.exchange, reply.exchange]
  if (!everything.ok) return notExercised('a delta since 1970 is refused too', { exchanges })
  const refused = await refusal(t, 'A delta without rows', reply, [])
  if (refused) return refused
  const wrong = (message: string, expected: string) =>
    fail({ message, expected, actual: describeReply(reply), exchanges })
  if (!Array.isArray(reply.envelope?.data))
    return wrong('data is not an array in a reply without rows', 'data []')
  if (reply.message.trim() === '')
    return wrong('the message of a reply without rows is empty', 'a message that reports an empty result')
  if (everything.data.length === 0)
    return compared(1, 'reply', 'data [], state success, a message (no reply with rows to compare it with)')
  if (reply.message === everything.message)
    return wrong('the message is the same with and without rows', 'a different message without rows')
  return compared(1, 'reply', 'data [], state success, and a different message than with rows', { exchanges })
}

/** Words for an empty result. */
const SAYS_EMPTY =
  /\b(no|zero|0|without|any) (results?|rows?|records?|data|match(es)?)\b|\bnothing\b|\bnone\b|\bempty\b|\b(not|n't)\b.*\b(results?|rows?|records?|data|found|match(ed|es)?)\b/i

/** A message whose words say only that the statement ran. */
const SAYS_IT_RAN =
  /^(\P{L}|\b(the|your|a|sql|query|statement|request|was|is|has|been|ran|(execut|complet|finish|succeed|process)ed|execution|success|successful|successfully|done|ok)\b)*$/iu

async function emptyMessage(t: Target): Promise<Finding> {
  await askIfPossible(() => t.emptyDelta())
  const empty = emptyAnswers(t)
  const unclear = empty.find(({ reply }) => !SAYS_EMPTY.test(reply.message))?.reply
  if (!unclear) return compared(empty.length, 'reply', 'every message says that the result is empty')
  const exchanges = [unclear.exchange]
  // It may say so in another language.
  if (!SAYS_IT_RAN.test(unclear.message))
    return observed(`the message of an empty result has unknown words: ${showPlain(unclear.message)}`, {
      exchanges,
    })
  return fail({
    message: 'the message of an empty result does not say that it is empty',
    expected: 'a message such as "no results", "0 rows", "nothing found" or "did not return any rows"',
    actual: showPlain(unclear.message),
    exchanges,
  })
}

/** Checks that deltas are accepted, and the reply to an empty delta. */
export const deltaStatementChecks: Check[] = [
  check({
    id: 'delta.date-literal',
    requirement: 'REQ-SQL-4',
    title: 'accept last_updated_at > a date literal',
    killedBy: ['delta-literal-refused', 'delta-leap-day-refused'],
    run: acceptsDate,
  }),
  check({
    id: 'delta.scalar-subquery',
    requirement: 'REQ-SQL-5',
    title: 'accept last_updated_at > the maximum of another view',
    killedBy: ['delta-subquery-refused', 'delta-other-view-refused'],
    run: acceptsSubquery,
  }),
  check({
    id: 'delta.empty',
    requirement: 'REQ-SQL-8',
    title: 'answer an empty delta with data [], state success and a distinct message',
    killedBy: ['empty-same-message', 'empty-without-message', 'empty-without-data', 'empty-is-error'],
    run: emptyDelta,
  }),
  check({
    id: 'delta.empty-message',
    requirement: 'REQ-SQL-8:should',
    title: 'say in the message that there are no results',
    killedBy: ['empty-says-done'],
    phase: 'answers',
    ask: (t) => t.emptyDelta(),
    run: emptyMessage,
  }),
]
