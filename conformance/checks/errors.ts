import { check, compared, notExercised, type Check, type Finding } from './check.ts'
import { showPlain } from '../connection/json.ts'
import { readRelationMessage } from '../comparisons/relation-message.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import type { Target } from '../connection/target.ts'
import { wrongReply } from './findings/wrong-reply.ts'
import {
  invalidBodies,
  invalidJson,
  isGatewayReply,
  requireControl,
  syntaxError,
  unknownFunction,
  unknownView,
  type InvalidBody,
} from '../connection/samples/outcomes.ts'

/** Why a reply is not a correct error, apart from its message; undefined if it is. */
function notAnError(reply: Reply, cause: string): Finding | undefined {
  const { envelope } = reply
  if (isGatewayReply(reply))
    return notExercised(`${cause} got ${describeReply(reply)}`, { exchanges: [reply.exchange] })
  if (!envelope) return wrong(reply, `${cause} got a reply without an envelope`)
  if (reply.ok) return wrong(reply, `${cause} got a success`)
  if (envelope.state !== 'error') return wrong(reply, `${cause} got the state ${showPlain(envelope.state)}`)
  if (!Array.isArray(envelope.data) || envelope.data.length > 0)
    return wrong(reply, `${cause} got data that is not []`)
  return undefined
}

const wrong = (reply: Reply, message: string): Finding => wrongReply(reply, message, 'data [], state "error"')

/** Documented statements with an unknown view, by its place. */
const unknownRelations: Record<string, (t: Target) => Promise<Reply>> = {
  alone: unknownView,
  joined: (t) =>
    t.query(`SELECT * FROM v_timeseries t LEFT JOIN ${t.unknownView} u ON t.bioprocess_id = u.id LIMIT 1`),
  subquery: (t) =>
    t.query(
      `SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM ${t.unknownView}) LIMIT 1`,
    ),
}

const unknownRelationCheck = (place: string, ask: (t: Target) => Promise<Reply>): Check =>
  check({
    id: `errors.unknown-view:${place}`,
    requirement: 'REQ-ERR-1',
    title: 'answer an unknown view with: relation "<view_name>" does not exist',
    killedBy: [
      'relation-single-quotes',
      'relation-without-name',
      'relation-other-name',
      'relation-generic',
      ...(place === 'alone' ? ['unknown-view-empty'] : ['unknown-view-beside-ignored']),
    ],
    run: async (t) => {
      await requireControl(t)
      const reply = await ask(t)
      const finding = notAnError(reply, 'an unknown view')
      if (finding) return finding
      const message = readRelationMessage(reply.message, t.unknownView)
      const expected = `relation "${t.unknownView}" does not exist`
      if (message.as === 'wrong')
        return wrongReply(reply, `the message for an unknown view ${message.problem}`, expected)
      return compared(1, 'reply', expected, message.as === 'variant' ? { notes: [message.note] } : {})
    },
  })

/** Words in the messages of JSON decoders of many languages. */
const DECODE_ERROR =
  /json|decod|pars|expecting|unterminated|unexpected (token|character|end|eof)|line \d+ column \d+/i

/** Searches the whole body if it is not an envelope, which another check tests. */
const invalidJsonCheck = (kind: InvalidBody, leniency: string): Check =>
  check({
    id: `errors.invalid-json:${kind}`,
    requirement: 'REQ-ERR-3',
    title: 'report a body that is not JSON as a JSON decode error',
    killedBy: ['invalid-json-served', 'invalid-json-generic', 'invalid-json-as-html', leniency],
    run: async (t) => {
      await requireControl(t)
      const reply = await invalidJson(t, kind)
      const finding = notAnError(reply, 'a body that is not JSON')
      if (finding && (reply.envelope || finding.outcome !== 'fail')) return finding
      if (DECODE_ERROR.test(reply.envelope ? reply.message : reply.exchange.response!.text))
        return compared(1, 'reply', 'reports a JSON decode error')
      return wrongReply(
        reply,
        'the reply to a body that is not JSON does not report a JSON decode error',
        'a message about a JSON decode error',
      )
    },
  })

/** Mutants whose errors lack the envelope or have data. */
const NOT_AN_ERROR = ['errors-without-envelope', 'error-data-partial', 'error-data-null']

const answersWithError = (cause: string, ask: (t: Target) => Promise<Reply>) => async (t: Target) => {
  await requireControl(t)
  return notAnError(await ask(t), cause) ?? compared(1, 'reply', 'data [], state "error"')
}

export const errorChecks: Check[] = [
  ...Object.entries(unknownRelations).map(([place, ask]) => unknownRelationCheck(place, ask)),
  invalidJsonCheck('single-quotes', 'single-quotes-read'),
  invalidJsonCheck('mixed-quotes', 'mixed-quotes-read'),
  invalidJsonCheck('truncated', 'truncated-read'),
  check({
    id: 'errors.invalid-json-envelope',
    requirement: 'REQ-ERR-3',
    title: 'answer a body that is not JSON with the envelope',
    killedBy: ['invalid-json-as-framework', 'invalid-json-as-html'],
    run: async (t) => {
      await requireControl(t)
      const replies: Reply[] = []
      for (const kind of Object.keys(invalidBodies) as InvalidBody[]) replies.push(await invalidJson(t, kind))
      const own = replies.filter((reply) => !isGatewayReply(reply))
      const bare = own.find(({ envelope }) => !envelope)
      if (bare) return wrong(bare, 'a body that is not JSON got a reply without the envelope')
      return compared(own.length, 'reply', 'with the envelope')
    },
  }),
  check({
    id: 'errors.syntax-error',
    requirement: 'REQ-ERR-4',
    title: 'answer a SQL syntax error with data [] and state error',
    killedBy: ['syntax-error-served', ...NOT_AN_ERROR],
    run: answersWithError('a SQL syntax error', syntaxError),
  }),
  check({
    id: 'errors.failing-statement',
    requirement: 'REQ-ERR-6',
    title: 'answer any failing statement with data [] and state error',
    killedBy: ['failing-statement-served', ...NOT_AN_ERROR],
    run: answersWithError('an unknown function', unknownFunction),
  }),
]
