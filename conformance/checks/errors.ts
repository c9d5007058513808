import { check, compared, fail, notExercised, type Check, type Finding } from './check.ts'
import { showPlain } from '../connection/json.ts'
import { readRelationMessage } from '../comparisons/relation-message.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import type { Target } from '../connection/target.ts'
import {
  invalidBodies,
  invalidJson,
  isGatewayReply,
  requireControl,
  syntaxError,
  unknownColumn,
  unknownView,
  type InvalidBody,
} from '../connection/samples/outcomes.ts'

/** Why a reply is not what the contract requires of every failing statement, apart from its message. */
function notAnError(reply: Reply, cause: string): Finding | undefined {
  const { envelope } = reply
  if (isGatewayReply(reply))
    return notExercised(`${cause} was answered ${describeReply(reply)}`, { exchanges: [reply.exchange] })
  if (!envelope) return wrong(reply, `${cause} was answered without an envelope`)
  if (reply.ok) return wrong(reply, `${cause} was answered as a success`)
  if (envelope.state !== 'error')
    return wrong(reply, `${cause} was answered with state ${showPlain(envelope.state)}`)
  if (!Array.isArray(envelope.data) || envelope.data.length > 0)
    return wrong(reply, `${cause} was answered with data that is not []`)
  return undefined
}

const wrong = (reply: Reply, message: string, expected = 'data [], state "error"'): Finding =>
  fail({ message, expected, actual: describeReply(reply), exchanges: [reply.exchange] })

/** Where an unknown view may stand in the documented statements. */
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
        return wrong(reply, `the message for an unknown view ${message.fault}`, expected)
      return compared(1, 'reply', expected, message.as === 'variant' ? { notes: [message.note] } : {})
    },
  })

/** Words in the errors of JSON decoders in many languages. */
const DECODE_ERROR =
  /json|decod|pars|expecting|unterminated|unexpected (token|character|end|eof)|line \d+ column \d+/i

/** Looks for the words in the whole body if it is no envelope: another check is about that. */
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
        return compared(1, 'reply', 'a JSON decode error is reported')
      return wrong(
        reply,
        'a body that is not JSON is not reported as such',
        'a message that tells of a JSON decode error',
      )
    },
  })

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
      const judged = replies.filter((reply) => !isGatewayReply(reply))
      const bare = judged.find(({ envelope }) => !envelope)
      if (bare) return wrong(bare, 'a body that is not JSON was answered without the envelope')
      return compared(judged.length, 'reply', 'answered with the envelope')
    },
  }),
  check({
    id: 'errors.syntax-error',
    requirement: 'REQ-ERR-4',
    title: 'answer a SQL syntax error with data [] and state error',
    killedBy: ['syntax-error-served', 'errors-without-envelope', 'error-data-partial', 'error-data-null'],
    run: async (t) => {
      await requireControl(t)
      const reply = await syntaxError(t)
      return notAnError(reply, 'a SQL syntax error') ?? compared(1, 'reply', 'data [], state "error"')
    },
  }),
  check({
    id: 'errors.failing-statement',
    requirement: 'REQ-ERR-6',
    title: 'answer any failing statement with data [] and state error',
    killedBy: ['unknown-column-served', 'errors-without-envelope', 'error-data-partial', 'error-data-null'],
    run: async (t) => {
      await requireControl(t)
      const reply = await unknownColumn(t)
      return notAnError(reply, 'an unknown column') ?? compared(1, 'reply', 'data [], state "error"')
    },
  }),
]
