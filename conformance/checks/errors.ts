import type { ViewName } from '../../schemas/index.ts'
import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { check, compared, fail, notExercised, observed, wrongReply } from './check.ts'
import type { Check, Finding } from './check.ts'
import { LONG_AGO } from '../connection/values/date-literal.ts'
import { showPlain } from '../connection/values/json.ts'
import { readRelationMessage } from '../comparisons/relation-message.ts'
import { describeReply, type Reply } from '../connection/http/reply.ts'
import { replyOrClosure } from '../samples/closure.ts'
import type { Target } from '../connection/target.ts'
import { overRequests } from './findings/over-requests.ts'
import {
  brokenBodies,
  brokenBodyRules,
  invalidBodies,
  type BrokenBodyRule,
  type InvalidBody,
} from '../connection/requests/broken-bodies.ts'
import { isGatewayReply } from '../connection/http/says-nothing.ts'
import { brokenStatementRules, brokenStatements } from '../samples/broken-statements.ts'
import { executedOfSeveral } from '../samples/several-statements.ts'
import {
  invalidJson,
  longerUnknownView,
  requireControl,
  syntaxErrors,
  unknownColumn,
  unknownFunction,
} from '../samples/outcomes.ts'

const ERROR = 'data [], state "error"'

/** Why a reply is not a correct error, apart from its message; undefined if it is. */
function notAnError(reply: Reply, cause: string): Finding | undefined {
  const { envelope } = reply
  if (isGatewayReply(reply))
    return notExercised(`${cause} got ${describeReply(reply)}`, { exchanges: [reply.exchange] })
  if (reply.ok) return served(reply, cause)
  const found = !envelope
    ? 'a reply without an envelope'
    : envelope.state !== 'error'
      ? `the state ${showPlain(envelope.state)}`
      : !Array.isArray(envelope.data) || envelope.data.length > 0
        ? 'data that is not []'
        : undefined
  if (found === undefined) return undefined
  return { ...wrongReply(reply, `${cause} got ${found}`, ERROR), cause: `errors with ${found}` }
}

function served(reply: Reply, cause: string): Finding {
  const message = `${cause} got a success`
  return { ...wrongReply(reply, message, ERROR), cause: message }
}

/** A statement that names a view in one place, and a view that is known there. */
interface Form {
  known: ViewName
  /** The statement in several spellings, from the most common one. */
  spellings: readonly ((view: string) => string)[]
  /** The unknown view. Default: that of the target. */
  unknown?: string
}

/** No row is newer. */
const FUTURE = '2037-12-31'

const joins = (sides: (view: string) => [left: string, right: string]): Form['spellings'] =>
  [
    (left: string, right: string) =>
      `* FROM ${left} t LEFT JOIN ${right} b ON t.bioprocess_id = b.id LIMIT 1`,
    (left: string, right: string) =>
      `* FROM ${left} AS t LEFT JOIN ${right} AS b ON t.bioprocess_id = b.id LIMIT 1`,
    (left: string, right: string) =>
      `t.*, b.* FROM ${left} t LEFT JOIN ${right} b ON t.bioprocess_id = b.id LIMIT 1`,
    (left: string, right: string) => `* FROM ${left} t LEFT JOIN ${right} b ON t.bioprocess_id = b.id`,
  ].map((spelling) => (view) => `SELECT ${spelling(...sides(view))}`)

const ABOVE = 'SELECT id FROM v_timeseries WHERE last_updated_at >'

const named = (view: string): string => `SELECT id FROM ${view} LIMIT 1`

/** Documented statements, by the place of the unknown view. */
const forms: Record<string, (t: Target) => Promise<Record<string, Form>>> = {
  alone: async (t) => {
    const known = 'v_bioprocesses'
    const future = await t.dateLiteral(FUTURE)
    return {
      'named columns': { known, spellings: [named] },
      // A target may answer LIMIT 0 without looking for the view.
      'all columns': {
        known,
        spellings: ['0', '1'].map((n) => (view) => `SELECT * FROM ${view} LIMIT ${n}`),
      },
      'a filter': {
        known,
        spellings: [(view) => `SELECT id FROM ${view} WHERE last_updated_at > ${future}`],
        unknown: 'v_bioprocess',
      },
      'a long name that begins with a known one': {
        known,
        spellings: [named],
        unknown: longerUnknownView(t),
      },
    }
  },
  joined: async () => ({
    'on the right': { known: 'v_bioprocesses', spellings: joins((view) => ['v_timeseries', view]) },
    'on the left': { known: 'v_timeseries', spellings: joins((view) => [view, 'v_bioprocesses']) },
  }),
  subquery: async () => ({
    'in a subquery': {
      known: 'v_bioprocesses',
      spellings: ['LIMIT 1', ''].map(
        (limit) => (view) => `${ABOVE} (SELECT MAX(last_updated_at) FROM ${view}) ${limit}`.trim(),
      ),
    },
  }),
}

/** Judges the reply to a statement with an unknown view. Fails only if the same statement over a known view is served. */
async function unknownView(t: Target, { known, spellings, unknown = t.unknownView }: Form): Promise<Finding> {
  let refused: Finding | undefined
  for (const spelling of spellings) {
    const finding = relationError(await t.shared(spelling(unknown)), unknown)
    if (finding.outcome !== 'fail') return finding
    const control = await t.shared(spelling(known))
    if (control.ok) return finding
    refused ??= notExercised(`\`${spelling(known)}\` got ${describeReply(control)}`, {
      exchanges: [control.exchange],
    })
  }
  return refused!
}

function relationError(reply: Reply, view: string): Finding {
  const finding = notAnError(reply, 'an unknown view')
  if (finding) return finding
  const message = readRelationMessage(reply.message, view)
  const expected = `relation "${view}" does not exist`
  if (message.as === 'wrong') {
    const cause = `the message for an unknown view ${message.problem}`
    return { ...wrongReply(reply, cause, expected), cause }
  }
  return compared(1, 'reply', expected, message.as === 'variant' ? { notes: [message.note] } : {})
}

/** Judges the reply to a syntax error. A target that closes the connection because of it does not report the error. */
async function syntaxError(t: Target, sql: string): Promise<Finding> {
  const cause = 'a SQL syntax error'
  const reply = await replyOrClosure(t, () => t.shared(sql))
  if (!(reply instanceof TransportError)) return anError(reply, cause)
  const { message, exchange } = reply
  return fail({
    message: `${cause} got no reply: ${message}`,
    expected: ERROR,
    actual: message,
    exchanges: [exchange],
  })
}

/** Judges requests one after another. */
async function inTurn<Request>(
  requests: readonly (readonly [name: string, Request])[],
  judge: (request: Request) => Promise<Finding>,
  sentence: string,
): Promise<Finding> {
  const findings: [string, Finding][] = []
  for (const [name, request] of requests) findings.push([name, await judge(request)])
  return overRequests(findings, sentence)
}

const quoted = (statements: readonly string[]) => statements.map((sql) => [`\`${sql}\``, sql] as const)

const unknownViewCheck = (place: string, ...defects: string[]): Check =>
  check({
    id: `errors.unknown-view:${place}`,
    requirement: 'REQ-ERR-1',
    title: `answer an unknown view (${place}) with: relation "<view_name>" does not exist`,
    killedBy: [
      'relation-single-quotes',
      'relation-without-name',
      'relation-other-name',
      'relation-generic',
      ...defects,
    ],
    run: async (t) => {
      await requireControl(t)
      const unknown = Object.entries(await forms[place]!(t))
      return inTurn(unknown, (form) => unknownView(t, form), `relation "${t.unknownView}" does not exist`)
    },
  })

/** Words in the messages of JSON decoders of many languages. */
const DECODE_ERROR =
  /json|decod|pars|expecting|unterminated|unexpected (token|character|end|eof)|invalid (character|start)|\beof\b|line ?number|line \d+ column \d+|body is (empty|missing|required)|(empty|missing|no) (request )?body/i

const DECODE_ERROR_REPORTED = 'reports a JSON decode error'

/** Searches the whole body if it is not an envelope, which another check tests. */
function decodeError(reply: Reply): Finding {
  const finding = notAnError(reply, 'a body that is not JSON')
  if (finding && (reply.envelope || finding.outcome !== 'fail')) return finding
  if (DECODE_ERROR.test(reply.envelope ? reply.message : reply.exchange.response!.text))
    return compared(1, 'reply', DECODE_ERROR_REPORTED)
  const cause = 'the reply to a body that is not JSON does not report a JSON decode error'
  return { ...wrongReply(reply, cause, 'a message about a JSON decode error'), cause }
}

/** A failure that shows again, with a plain statement served in between: an outage explains any reply. */
async function steady(t: Target, judge: (isAgain: boolean) => Promise<Finding>): Promise<Finding> {
  const finding = await judge(false)
  if (finding.outcome !== 'fail') return finding
  const control = await t.query(PLAIN_STATEMENT)
  return control.ok ? judge(true) : notExercised(`a plain statement gets ${describeReply(control)}`)
}

/** For bodies that are drawn: a decoder may have words for one of them that {@link DECODE_ERROR} does not know. */
function notServed(reply: Reply): Finding {
  if (isGatewayReply(reply)) return notExercised(`a body that is not JSON got ${describeReply(reply)}`)
  return reply.ok ? served(reply, 'a body that is not JSON') : compared(1, 'reply', 'no success')
}

const invalidJsonCheck = (
  id: string,
  bodies: (t: Target) => readonly (readonly [name: string, send: (isAgain: boolean) => Promise<Reply>])[],
  more: Pick<Check, 'killedBy'>,
  judge = decodeError,
): Check =>
  check({
    id: `errors.invalid-json:${id}`,
    requirement: 'REQ-ERR-3',
    title: `report a body that is not JSON (${id.replaceAll('-', ' ')}) as a JSON decode error`,
    ...more,
    run: async (t) => {
      await requireControl(t)
      const sentence = judge === decodeError ? DECODE_ERROR_REPORTED : 'no success'
      return inTurn(bodies(t), (send) => steady(t, async (isAgain) => judge(await send(isAgain))), sentence)
    },
  })

/** The check of one kind of body. */
const invalidBodyCheck = (kind: InvalidBody): Check =>
  invalidJsonCheck(
    kind,
    (t) => [[kind, (isAgain) => (isAgain ? t.send(invalidBodies[kind]) : invalidJson(t, kind))]],
    {
      killedBy: [`${kind}-read`, 'invalid-json-served', 'invalid-json-generic', 'invalid-json-as-html'],
    },
  )

/** Mutants beside the one that has the name of a rule. */
const otherReaders: Partial<Record<BrokenBodyRule, string[]>> = {
  control: ['carriage-return-lost'],
  number: ['number-with-underscores-read'],
  'other-quotes': ['backticks-read'],
  'stray-character': ['line-comment-read', 'text-before-read', 'text-before-brace-read'],
}

/** Statements of each rule. */
const STATEMENTS = 2
/** Most statements, and most bodies, that `--fuzz` adds to those of a rule. */
const moreOf = (t: Target): number => Math.min(t.options.fuzz ?? 0, 50)

/** Mutants whose errors lack the envelope or have data. */
const NOT_AN_ERROR = ['errors-without-envelope', 'error-data-partial', 'error-data-null']

const anError = (reply: Reply, cause: string): Finding =>
  notAnError(reply, cause) ?? compared(1, 'reply', ERROR)

export const errorChecks: Check[] = [
  unknownViewCheck(
    'alone',
    'unknown-view-empty',
    'unknown-view-star',
    'unknown-view-no-rows-wanted',
    'unknown-view-filtered',
    'unknown-view-long',
    'view-by-prefix',
    'view-without-last-letter',
  ),
  unknownViewCheck('joined', 'unknown-view-beside-ignored', 'unknown-view-left'),
  unknownViewCheck('subquery', 'unknown-view-beside-ignored'),
  ...(Object.keys(invalidBodies) as InvalidBody[]).map(invalidBodyCheck),
  ...brokenBodyRules.map((rule) =>
    invalidJsonCheck(
      rule,
      (t) => brokenBodies(rule, moreOf(t)).map((body) => [showPlain(body), () => t.send(body)]),
      {
        killedBy: [`${rule}-read`, ...(otherReaders[rule] ?? [])],
      },
      rule === 'format' ? decodeError : notServed,
    ),
  ),
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
      if (bare) return wrongReply(bare, 'a body that is not JSON got a reply without the envelope', ERROR)
      return compared(own.length, 'reply', 'with the envelope')
    },
  }),
  check({
    id: 'errors.syntax-error',
    requirement: 'REQ-ERR-4',
    title: 'answer a SQL syntax error with data [] and state error',
    killedBy: [
      'syntax-error-served',
      'limit-word-read',
      'where-unfinished-read',
      'from-empty-read',
      'open-quote-read',
      'parenthesis-read',
      'syntax-error-closes',
      ...NOT_AN_ERROR,
    ],
    run: async (t) => {
      await requireControl(t)
      return inTurn(Object.entries(syntaxErrors), (sql) => syntaxError(t, sql), ERROR)
    },
  }),
  ...brokenStatementRules.map((rule) =>
    check({
      id: `errors.broken-statement:${rule}`,
      requirement: 'REQ-ERR-4',
      title: `answer a statement that no grammar of SQL reads (${rule.replaceAll('-', ' ')}) with data [] and state error`,
      killedBy: [`${rule}-read`],
      run: async (t) => {
        await requireControl(t)
        if (rule === 'text-behind-semicolon' && (await executedOfSeveral(t)).executed === 'first')
          return observed('the target ignores what stands behind a statement (sql.multi)')
        const broken = await brokenStatements(t, rule, STATEMENTS + moreOf(t))
        return inTurn(quoted(broken), (sql) => steady(t, () => syntaxError(t, sql)), ERROR)
      },
    }),
  ),
  check({
    id: 'errors.failing-statement',
    requirement: 'REQ-ERR-6',
    title: 'answer any failing statement with data [] and state error',
    killedBy: ['failing-statement-served', ...NOT_AN_ERROR],
    run: async (t) => {
      await requireControl(t)
      return anError(await unknownFunction(t), 'an unknown function')
    },
  }),
  check({
    id: 'errors.unknown-qualifier',
    requirement: 'REQ-ERR-6',
    title: 'answer a column of an alias that the statement does not have with data [] and state error',
    killedBy: ['qualifier-ignored'],
    run: async (t) => {
      await requireControl(t)
      if ((await unknownColumn(t)).ok) return observed('the target reads an unknown column as null')
      const filter = `WHERE zz.last_updated_at > ${await t.dateLiteral(LONG_AGO)}`
      const statements = [
        'SELECT zz.id FROM v_bioprocesses LIMIT 1',
        `SELECT id FROM v_bioprocesses ${filter}`,
      ]
      const judge = async (sql: string) => anError(await t.query(sql), 'an unknown alias')
      return inTurn(quoted(statements), (sql) => steady(t, () => judge(sql)), ERROR)
    },
  }),
]
