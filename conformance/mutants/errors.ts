import { contract } from '../../schemas/index.ts'
import { errorReply, onEnvelope, reply, wrapper, type Mutant } from './mutant.ts'

const RELATION = /relation "([^"]*)" does not exist/

/** Rewords the message for an unknown view. */
const onUnknownView = (reword: (name: string) => string) =>
  onEnvelope(({ data, status }) => ({
    data,
    status: { ...status, message: status.message.replace(RELATION, (_, name: string) => reword(name)) },
  }))

/** An empty success in place of the errors that match. */
const servedWhere = (matches: (statement: string, message: string) => boolean) =>
  onEnvelope((envelope, { statement = '' }) =>
    envelope.status.state === 'error' && matches(statement, envelope.status.message) ? nothing : envelope,
  )

const nothing = { data: [], status: { state: 'success', message: contract.messages.empty } }

/** Answers bodies that are not JSON in another way. */
const onInvalidJson = (answer: () => Response) =>
  wrapper(async (call, next) => {
    try {
      JSON.parse(call.body)
      return await next(call)
    } catch (error) {
      if (error instanceof SyntaxError) return answer()
      throw error
    }
  })

/** Reads a body that is not JSON as if it were, by a pattern with the statement in its first group. */
const lenient = (pattern: RegExp) =>
  wrapper(async (call, next) => {
    const statement = pattern.exec(call.body)?.[1]
    if (statement === undefined || call.statement !== undefined) return next(call)
    return next({ ...call, statement })
  })

const isUnknownView = (_: string, message: string) => RELATION.test(message)

/** Defects in how errors are told. */
export const errorMutants: Mutant[] = [
  {
    id: 'relation-single-quotes',
    breaks: 'REQ-ERR-1',
    defect: 'The name of the unknown view stands in single quotes.',
    wrap: onUnknownView((name) => `relation '${name}' does not exist`),
  },
  {
    id: 'relation-without-name',
    breaks: 'REQ-ERR-1',
    defect: 'The message does not name the unknown view.',
    wrap: onUnknownView(() => 'relation does not exist'),
  },
  {
    id: 'relation-other-name',
    breaks: 'REQ-ERR-1',
    defect: 'The message names another view.',
    wrap: onUnknownView((name) => `relation "${name.replace(/^v_/, '')}" does not exist`),
  },
  {
    id: 'relation-generic',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is reported as an unexpected exception.',
    wrap: onUnknownView(() => contract.messages.exception),
  },
  {
    id: 'unknown-view-empty',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is one without rows.',
    wrap: servedWhere(isUnknownView),
  },
  {
    id: 'unknown-view-beside-ignored',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view beside a known one is one without rows.',
    wrap: servedWhere(
      (sql, message) => isUnknownView(sql, message) && (sql.match(/\b(from|join)\b/gi) ?? []).length > 1,
    ),
  },
  {
    id: 'invalid-json-served',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is answered as an empty success.',
    wrap: onInvalidJson(() => reply(nothing)),
  },
  {
    id: 'invalid-json-generic',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is reported as an unexpected exception.',
    wrap: onInvalidJson(() => errorReply(contract.messages.exception)),
  },
  {
    id: 'invalid-json-as-html',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is answered with an HTML page.',
    wrap: onInvalidJson(
      () => new Response('<h1>Bad Request</h1>', { status: 400, headers: { 'content-type': 'text/html' } }),
    ),
  },
  {
    id: 'invalid-json-as-framework',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is answered in the way of a web framework.',
    wrap: onInvalidJson(() => reply({ detail: [{ type: 'json_invalid', msg: 'JSON decode error' }] }, 422)),
  },
  {
    id: 'single-quotes-read',
    breaks: 'REQ-ERR-3',
    defect: 'Single quotes around keys and texts are read as double ones.',
    wrap: lenient(/^\{\s*'statement'\s*:\s*'(.*)'\s*\}$/s),
  },
  {
    id: 'mixed-quotes-read',
    breaks: 'REQ-ERR-3',
    defect: 'Double quotes inside the statement need no backslash.',
    wrap: lenient(/^\{\s*"statement"\s*:\s*"(.*)"\s*\}$/s),
  },
  {
    id: 'truncated-read',
    breaks: 'REQ-ERR-3',
    defect: 'The closing brace may be missing.',
    wrap: lenient(/^\{\s*"statement"\s*:\s*"([^"]*)"\s*$/s),
  },
  {
    id: 'syntax-error-served',
    breaks: 'REQ-ERR-4',
    defect: 'A SQL syntax error is answered as an empty success.',
    wrap: servedWhere((_, message) => /syntax error/i.test(message)),
  },
  {
    id: 'unknown-column-served',
    breaks: 'REQ-ERR-6',
    defect: 'Whatever fails in a known view is answered as an empty success.',
    wrap: servedWhere((sql, message) => !isUnknownView(sql, message) && !/syntax error/i.test(message)),
  },
]
