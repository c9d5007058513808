import type { Contract } from '../../schemas/contract.ts'
import type { Statement } from '../../schemas/statements.ts'
import type { JsonSchema } from './json-schema.ts'

/** The example statements as examples of a request body. */
export function examples(statements: readonly Statement[]) {
  const entries = statements.map(({ id, title, statement }) => [id, { summary: title, value: { statement } }])
  return Object.fromEntries(entries)
}

/** The responses by HTTP status. Each has the envelope as its body; `result` describes the body of status 200. */
export function responses({ messages, limits }: Contract, result: JsonSchema) {
  const envelope = { $ref: '#/components/schemas/StatementEnvelope' }
  const refusal = (description: string, message: string, headers?: object) => ({
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: envelope, example: failure(message) } },
  })
  return {
    200: {
      description: 'The statement ran, or failed as SQL: read status.state.',
      content: { 'application/json': { schema: result, examples: outcomes(messages) } },
    },
    400: refusal(
      'The body is JSON but has no text in `statement`.',
      'The body needs a string in "statement".',
    ),
    401: refusal('There is no valid access token.', 'A valid bearer token is required.', {
      'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } },
    }),
    413: refusal('The body is too large.', 'The body is too large.'),
    415: refusal('The body is not `application/json`.', 'The content type has to be application/json.'),
    503: refusal('Too many statements wait for an engine.', 'The server is busy, try again.', {
      'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
    }),
    [limits.timeoutStatus]: refusal(
      `The statement ran longer than ${limits.executionMs / 1000} seconds: read less data, or split the query.`,
      'The statement ran out of time.',
    ),
  }
}

function outcomes(messages: Contract['messages']) {
  const row = { id: 'bp-1', name: 'EC-042' }
  const examples = {
    rows: ['The statement returned rows', success(messages.success, [row])],
    empty: ['The statement returned no rows', success(messages.empty, [])],
    unknownView: [
      'The view does not exist',
      failure(messages.unknownView.replace('<view_name>', 'v_unknown')),
    ],
    exception: ['Execution failed', failure(messages.exception)],
    syntax: [
      'The body or the statement cannot be read',
      failure(`${messages.jsonDecode}: unexpected end of input`),
    ],
  } as const
  return Object.fromEntries(
    Object.entries(examples).map(([name, [summary, value]]) => [name, { summary, value }]),
  )
}

function success(message: string, data: object[]) {
  return { data, status: { state: 'success', message } }
}

function failure(message: string) {
  return { data: [], status: { state: 'error', message } }
}
