import { contract } from '../../../schemas/index.ts'
import { onEnvelope, reply, wrapper, type Call, type Envelope, type Mutant } from '../mutant.ts'

const isPost = ({ init }: Call): boolean => init.method === 'POST'

/** Rewrites the envelope of every success, or of every error. */
const onSuccess = (rewrite: (envelope: Envelope) => unknown) =>
  onEnvelope((envelope) => (envelope.status.state === 'success' ? rewrite(envelope) : envelope))
const onError = (rewrite: (envelope: Envelope) => unknown) =>
  onEnvelope((envelope) => (envelope.status.state === 'error' ? rewrite(envelope) : envelope))

const withMessage = (message: unknown) => (envelope: Envelope) => ({
  ...envelope,
  status: { ...envelope.status, message },
})
const withState = (state: unknown) => (envelope: Envelope) => ({
  ...envelope,
  status: { ...envelope.status, state },
})
const withoutData = ({ status }: Envelope) => ({ status })

const html = (status: number) =>
  new Response('<!doctype html><title>No</title>', { status, headers: { 'content-type': 'text/html' } })

/** Rewrites the bytes of every response. */
const onBytes = (rewrite: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const { status, headers, ...response } = await next(call).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }))
    return new Response(rewrite(response.bytes), { status, headers })
  })

const latin1 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('utf8'), 'latin1'))

/** Defects of requests, of bodies and of envelopes. */
export const httpMutants: Mutant[] = [
  {
    id: 'body-latin-1',
    breaks: 'REQ-HTTP-4',
    defect: 'Bodies are encoded in Latin-1.',
    wrap: onBytes(latin1),
  },
  {
    id: 'body-with-mark',
    breaks: 'REQ-HTTP-4',
    defect: 'A byte order mark precedes the JSON.',
    wrap: onBytes((bytes) => new Uint8Array(Buffer.concat([Buffer.from('\uFEFF'), bytes]))),
  },
  {
    id: 'http-moved',
    breaks: 'REQ-HTTP-1',
    defect: 'The endpoint redirects to another version.',
    wrap: wrapper(async (call) => {
      const location = call.url.replace('/v1/', '/v2/')
      return new Response(null, { status: 308, headers: { location } })
    }),
  },
  {
    id: 'http-elsewhere',
    breaks: 'REQ-HTTP-1',
    defect: 'The endpoint does not exist.',
    wrap: wrapper(async () => html(404)),
  },
  {
    id: 'any-body-served',
    breaks: 'REQ-HTTP-3',
    defect: 'A body without a statement gets a success.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      if (call.statement !== undefined || !isJson(call.body)) return response
      return reply({ data: [], status: { state: 'success', message: contract.messages.empty } })
    }),
  },
  {
    id: 'status-flat',
    breaks: 'REQ-HTTP-4',
    defect: 'status is a string instead of an object.',
    wrap: onEnvelope(({ data, status }) => ({ data, status: status.state, message: status.message })),
  },
  {
    id: 'message-absent',
    breaks: 'REQ-HTTP-4',
    defect: 'A success has no message.',
    wrap: onSuccess(({ data, status }) => ({ data, status: { state: status.state } })),
  },
  {
    id: 'data-absent',
    breaks: 'REQ-HTTP-4',
    defect: 'The member with the rows is not called data.',
    wrap: onEnvelope(({ data, status }) => ({ rows: data, status })),
  },
  {
    id: 'data-absent-in-empty-joins',
    breaks: 'REQ-HTTP-4',
    defect: 'An answer to a join without rows has no data.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) =>
      data.length === 0 && status.state === 'success' && /\bjoin\b/i.test(statement)
        ? { status }
        : { data, status },
    ),
  },
  {
    id: 'errors-without-envelope',
    breaks: 'REQ-HTTP-4',
    defect: 'Errors are {"error": message} instead of the envelope.',
    wrap: onError(({ status }) => ({ error: status.message })),
  },
  {
    id: 'errors-as-html',
    breaks: 'REQ-HTTP-4',
    defect: 'Errors are HTML pages with status 500.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const { status } = (await response.clone().json()) as Envelope
      return status.state === 'error' ? html(500) : response
    }),
  },
  {
    id: 'empty-without-body',
    breaks: 'REQ-HTTP-4',
    defect: 'A result without rows has HTTP 204 and no body.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const { data, status } = (await response.clone().json()) as Envelope
      return status.state === 'success' && data.length === 0 ? new Response(null, { status: 204 }) : response
    }),
  },
  {
    id: 'statistics-not-json',
    breaks: 'REQ-HTTP-4',
    defect: 'A mean of no values is written as NaN, which is not JSON.',
    wrap: onEnvelope((envelope) =>
      JSON.stringify(envelope).replaceAll('"arithmetic_mean":null', '"arithmetic_mean":NaN'),
    ),
  },
  {
    id: 'state-ok',
    breaks: 'REQ-HTTP-5',
    defect: 'The state of a success is "ok".',
    wrap: onSuccess(withState('ok')),
  },
  {
    id: 'state-upper-case',
    breaks: 'REQ-HTTP-5',
    defect: 'States are in upper case.',
    wrap: onEnvelope((envelope) => withState(envelope.status.state.toUpperCase())(envelope)),
  },
  {
    id: 'state-boolean',
    breaks: 'REQ-HTTP-5',
    defect: 'The state of a success is true.',
    wrap: onSuccess(withState(true)),
  },
  {
    id: 'state-failed',
    breaks: 'REQ-HTTP-5',
    defect: 'The state of an error is "failed".',
    wrap: onError(withState('failed')),
  },
  {
    id: 'error-data-null',
    breaks: 'REQ-HTTP-6',
    defect: 'Errors have data null.',
    wrap: onError((envelope) => ({ ...envelope, data: null })),
  },
  {
    id: 'error-data-absent',
    breaks: 'REQ-HTTP-6',
    defect: 'Errors have no data.',
    wrap: onError(withoutData),
  },
  {
    id: 'error-data-partial',
    breaks: 'REQ-HTTP-6',
    defect: 'Errors have a row in data.',
    wrap: onError((envelope) => ({ ...envelope, data: [{ id: 'a row that came before the error' }] })),
  },
  {
    id: 'no-rows-data-null',
    breaks: 'REQ-HTTP-6',
    defect: 'A success without rows has data null.',
    wrap: onSuccess((envelope) => (envelope.data.length === 0 ? { ...envelope, data: null } : envelope)),
  },
  {
    id: 'message-number',
    breaks: 'REQ-HTTP-7',
    defect: 'The message of a success is the number of rows.',
    wrap: onSuccess((envelope) => withMessage(envelope.data.length)(envelope)),
  },
  {
    id: 'message-null',
    breaks: 'REQ-HTTP-7',
    defect: 'The message of a success is null.',
    wrap: onSuccess(withMessage(null)),
  },
  {
    id: 'error-message-object',
    breaks: 'REQ-HTTP-7',
    defect: 'The message of an error is an object.',
    wrap: onError((envelope) => withMessage({ text: envelope.status.message })(envelope)),
  },
  {
    id: 'message-empty',
    breaks: 'REQ-HTTP-7:should',
    defect: 'The message of a success is empty.',
    wrap: onSuccess(withMessage('')),
  },
  {
    id: 'success-500',
    breaks: 'REQ-HTTP-8:should',
    defect: 'Successes have the status 500.',
    wrap: onEnvelope(
      (envelope) => envelope,
      (envelope, was) => (envelope.status.state === 'success' ? 500 : was),
    ),
  },
  {
    id: 'get-served',
    breaks: 'REQ-HTTP-10',
    defect: 'A GET with the statement in the query is executed.',
    wrap: wrapper(async (call, next) => {
      const { origin, pathname, searchParams } = new URL(call.url)
      const statement = searchParams.get('statement')
      if (isPost(call) || statement === null) return next(call)
      return next({ ...call, url: origin + pathname, ...posted(call, statement) })
    }),
  },
  {
    id: 'any-path-served',
    breaks: 'REQ-HTTP-10',
    defect: 'A statement is executed at every path.',
    wrap: wrapper(async (call, next) =>
      next({ ...call, url: new URL(contract.endpoint.path, call.url).href }),
    ),
  },
  {
    id: 'success-as-html',
    breaks: 'REQ-HTTP-12',
    defect: 'Envelopes have the media type text/html.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      return new Response(response.body, {
        status: response.status,
        headers: { 'content-type': 'text/html' },
      })
    }),
  },
]

const posted = ({ init }: Call, statement: string) => ({
  body: JSON.stringify({ statement }),
  init: {
    ...init,
    method: 'POST',
    headers: { ...(init.headers as Record<string, string>), 'Content-Type': 'application/json' },
    body: JSON.stringify({ statement }),
  },
})

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
