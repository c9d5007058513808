import { deniesToken } from '../connection/http/token-refusals.ts'
import { views } from '../../schemas/index.ts'
import { answerOf, answersOf } from '../answers/answers.ts'
import { askIfPossible } from '../answers/ask.ts'
import { endsEarly, isGatewayReply, saysNothing } from '../connection/http/says-nothing.ts'
import {
  dataWithoutRows,
  emptyMessage,
  ENVELOPE,
  isServed,
  missingMember,
  wrongMessage,
  wrongState,
} from '../answers/outcome-problems.ts'
import { check, compared, notExercised, observed, wrongReply, type Check, type Finding } from './check.ts'
import { excerpt } from '../connection/redaction/excerpt.ts'
import { echoed } from '../connection/redaction/secrets.ts'
import { isObject } from '../connection/values/json.ts'
import { declaresJson, lacksEnvelope, type Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { requireControl, sqlOutcomes, withoutStatement, type SqlOutcome } from '../samples/outcomes.ts'

/** One reply of every documented kind, then every other answer of the run that a gateway did not give. */
async function outcomesOfRun(t: Target): Promise<SqlOutcome[]> {
  const documented = await sqlOutcomes(t)
  for (const { name } of views) await askIfPossible(() => t.anyRow(name))
  const known = new Set(documented.map(({ reply }) => reply.exchange))
  const others = answersOf(t).filter(
    ({ sql, reply }) =>
      sql !== undefined &&
      !known.has(reply.exchange) &&
      !isGatewayReply(reply) &&
      // replies.whole repeats it
      !endsEarly(reply) &&
      (reply.envelope || isServed(reply.status)),
  )
  return [
    ...documented.filter(({ reply }) => !endsEarly(reply)),
    ...others.map(({ sql, reply }): SqlOutcome => ({
      to: `\`${excerpt(echoed(sql!), SHOWN)}\``,
      kind: reply.envelope?.state === 'error' ? 'error' : 'rows',
      reply,
    })),
  ]
}

/** Characters of a statement in a message. The exchange has all of them. */
const SHOWN = 100
/** Whether a reply must have no rows. Other checks judge a failing statement that got a success. */
const lacksRows = ({ kind, reply }: SqlOutcome): boolean =>
  kind === 'empty' || (kind === 'error' && !reply.ok)
/** Requests that a message names. */
const NAMED = 3

/** Checks every SQL-level reply of the run. `problemOf` returns its problem, or undefined. */
const onEveryOutcome =
  (
    problemOf: (outcome: SqlOutcome) => string | undefined,
    expected: string,
    isJudged: (outcome: SqlOutcome) => boolean = () => true,
  ) =>
  async (t: Target): Promise<Finding> => {
    const outcomes = (await outcomesOfRun(t)).filter(isJudged)
    const wrong: (SqlOutcome & { found: string })[] = []
    for (const outcome of outcomes) {
      const found = problemOf(outcome)
      if (found === undefined || (wrong.length < NAMED && (await isAnsweredNow(t, outcome)))) continue
      wrong.push({ ...outcome, found })
    }
    const [first] = wrong
    if (!first) return compared(outcomes.length, 'reply', expected)
    const requests = wrong.slice(0, NAMED).map(({ to }) => to)
    const more = wrong.length > NAMED ? ` and to ${wrong.length - NAMED} more requests` : ''
    return wrongReply(first.reply, `${first.found}: the reply to ${requests.join(', to ')}${more}`, expected)
  }

/**
 * Whether something in front of the target gave the reply: a page in place of JSON, which does not come again.
 *
 * @throws TransportError when the request gets no answer now
 */
const isAnsweredNow = async (t: Target, { reply: { exchange } }: SqlOutcome): Promise<boolean> =>
  saysNothing(exchange) === 'page' && (await t.send(exchange.request.body)).envelope !== undefined

/** Checks every success of the run. `judge` returns true, or the problem of the reply. */
const onEverySuccess =
  (judge: (reply: Reply) => true | string, expected: string) =>
  async (t: Target): Promise<Finding> => {
    await requireControl(t)
    const successes = answersOf(t).filter(({ reply }) => reply.ok)
    for (const { reply } of successes) {
      const problem = judge(reply)
      if (problem !== true) return wrongReply(reply, `a success has ${problem}`, expected)
    }
    return compared(successes.length, 'success', expected)
  }

const without = (keys: readonly string[], known: readonly string[]): string[] =>
  keys.filter((key) => !known.includes(key))

async function furtherMembers(t: Target): Promise<Finding> {
  await requireControl(t)
  const { envelope, exchange } = await t.baseline()
  const { status } = envelope!.body
  const inside = isObject(status) ? without(Object.keys(status), ['state', 'message']) : []
  const further = [
    ...without(Object.keys(envelope!.body), ['data', 'status']),
    ...inside.map((key) => `status.${key}`),
  ]
  return observed(
    further.length > 0 ? `additional members: ${further.join(', ')}` : 'no additional members',
    { exchanges: [exchange] },
  )
}

/** Fails if the target served one of the requests. */
function noneServed(replies: readonly (readonly [to: string, reply: Reply])[], expected: string): Finding {
  const served = replies.find(([, { ok }]) => ok)
  if (!served) return compared(replies.length, 'request', expected)
  const [to, reply] = served
  return wrongReply(reply, `${to} was served`, expected)
}

export const httpChecks: Check[] = [
  check({
    id: 'http.endpoint',
    requirement: 'REQ-HTTP-1',
    title: 'execute a statement sent by POST to the endpoint',
    killedBy: ['http-moved', 'http-elsewhere'],
    run: async (t) => {
      const reply = await t.baseline()
      if (deniesToken(reply.status) || reply.status === 403)
        return notExercised(`the token was refused (HTTP ${reply.status})`, { exchanges: [reply.exchange] })
      if (reply.envelope) return compared(1, 'reply', 'the endpoint replied with an envelope')
      if (lacksEnvelope(reply))
        return notExercised('the reply to a plain statement is not an envelope, which http.envelope judges', {
          exchanges: [reply.exchange],
        })
      return wrongReply(
        reply,
        `a statement sent by POST to ${t.client.endpoint} was not executed`,
        'a JSON object with data and status',
      )
    },
  }),
  check({
    id: 'http.request-body',
    requirement: 'REQ-HTTP-3',
    title: 'refuse a body that is not an object with a string "statement"',
    killedBy: ['any-body-served'],
    run: async (t) => {
      const replies: [string, Reply][] = [['the body {}', await withoutStatement(t)]]
      for (const body of ['{"statement":1}', '{"statement":null}', '[]'])
        replies.push([`the body ${body}`, await t.send(body)])
      return noneServed(replies, 'every body without a statement is refused')
    },
  }),
  check({
    id: 'http.envelope',
    requirement: 'REQ-HTTP-4',
    title: 'answer every SQL-level outcome with {data, status: {state, message}}',
    killedBy: [
      'status-flat',
      'message-absent',
      'data-absent',
      'data-absent-in-empty-joins',
      'errors-without-envelope',
      'errors-as-html',
      'body-latin-1',
      'body-with-mark',
      'empty-without-body',
      'statistics-not-json',
    ],
    phase: 'answers',
    *prepare(t) {
      for (const exchange of t.client.answers) yield answerOf(exchange)
    },
    run: async (t) => {
      const plain = await t.baseline()
      const outcome: SqlOutcome = { to: 'a plain statement', kind: 'rows', reply: plain }
      // No other request has a meaning then.
      if (lacksEnvelope(plain))
        return wrongReply(plain, `${missingMember(outcome)}: the reply to ${outcome.to}`, ENVELOPE)
      return onEveryOutcome(missingMember, ENVELOPE)(t)
    },
  }),
  check({
    id: 'http.state',
    requirement: 'REQ-HTTP-5',
    title: 'set status.state to exactly success or error',
    killedBy: ['state-ok', 'state-upper-case', 'state-boolean', 'state-failed'],
    phase: 'answers',
    run: onEveryOutcome(wrongState, 'status.state is "success" or "error"'),
  }),
  check({
    id: 'http.empty-data',
    requirement: 'REQ-HTTP-6',
    title: 'send data [] when there are no rows and on error',
    killedBy: ['error-data-null', 'error-data-absent', 'error-data-partial', 'no-rows-data-null'],
    phase: 'answers',
    run: onEveryOutcome(dataWithoutRows, 'data is [] if there are no rows', lacksRows),
  }),
  check({
    id: 'http.message-type',
    requirement: 'REQ-HTTP-7',
    title: 'send status.message as a string',
    killedBy: ['message-number', 'message-null', 'error-message-object'],
    phase: 'answers',
    run: onEveryOutcome(wrongMessage, 'status.message is a string'),
  }),
  check({
    id: 'http.message-text',
    requirement: 'REQ-HTTP-7:should',
    title: 'NOT leave status.message empty',
    killedBy: ['message-empty'],
    phase: 'answers',
    run: onEveryOutcome(emptyMessage, 'status.message is not empty'),
  }),
  check({
    id: 'http.success-status',
    requirement: 'REQ-HTTP-8:should',
    title: 'answer a success with a 2xx status',
    killedBy: ['success-500'],
    phase: 'answers',
    run: onEverySuccess(({ status }) => isServed(status) || `the status ${status}`, 'HTTP 200 to 299'),
  }),
  check({
    id: 'http.one-endpoint',
    requirement: 'REQ-HTTP-10',
    title: 'serve rows at the one endpoint only',
    killedBy: ['get-served', 'any-path-served'],
    run: async (t) => {
      await requireControl(t)
      const sql = 'SELECT id FROM v_bioprocesses LIMIT 1'
      const query = `${t.client.endpoint}?statement=${encodeURIComponent(sql)}`
      return noneServed(
        [
          ['a GET with the statement in the query', await t.send('', { method: 'GET', url: query })],
          ['a POST to the base URL', await t.query(sql, { url: `${t.client.options.baseUrl}/` })],
        ],
        'no other address executes statements',
      )
    },
  }),
  check({
    id: 'http.content-type',
    requirement: 'REQ-HTTP-12',
    title: 'declare the response as JSON',
    killedBy: ['success-as-html'],
    phase: 'answers',
    run: onEverySuccess((reply) => {
      if (declaresJson(reply)) return true
      const type = reply.exchange.response!.headers.get('content-type')
      return type === null ? 'no Content-Type' : `the Content-Type ${echoed(type)}`
    }, 'Content-Type application/json, or a type ending in +json'),
  }),
  check({
    id: 'http.further-members',
    requirement: 'REQ-HTTP-11',
    title: 'have additional members in the envelope',
    killedBy: [],
    run: furtherMembers,
  }),
]
