import type { Control } from './control.ts'
import { onEnvelope, wrapper, type Mutant } from '../mutant.ts'

/** Adds headers to every response and sends its body in small chunks. */
const withHeaders = (headers: Record<string, string>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (let at = 0; at < bytes.length; at += 1000) stream.enqueue(bytes.subarray(at, at + 1000))
        stream.close()
      },
    })
    return new Response(body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    })
  })

/** Controls with other responses. */
export const responses: Control[] = [
  {
    id: 'further-members',
    does: 'The envelope has additional members.',
    wrap: onEnvelope(({ data, status }) => ({
      meta: { rows: data.length, tookMs: 3 },
      status: { ...status, code: 0, errors: [] },
      data,
    })),
  },
  {
    id: 'pretty-printed',
    does: 'The envelope is indented and starts with status.',
    wrap: onEnvelope(({ data, status }) => JSON.stringify({ status, data }, null, 2)),
  },
  {
    id: 'json-of-a-kind',
    does: 'The media type ends in +json and has parameters.',
    wrap: withHeaders({ 'content-type': 'application/vnd.statements+json; charset=utf-8' }),
  },
  {
    id: 'rate-limit-headers',
    does: 'Every response has the headers of a rate limit that the run does not reach.',
    wrap: withHeaders({ 'ratelimit-limit': '600', 'ratelimit-remaining': '12', 'ratelimit-reset': '30' }),
  },
  {
    id: 'latency',
    does: 'Every response is delayed by 0 to 20 ms, so responses arrive in another order.',
    wrap: wrapper(async (call, next) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      return next(call)
    }),
  },
  {
    id: 'login-page',
    does: 'A request with an invalid token is redirected to a login page.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      if (response.status !== 401) return response
      return new Response(null, { status: 302, headers: { location: 'https://login.example/' } })
    }),
  },
  {
    id: 'other-empty-message',
    does: 'The message of a success without rows is unusual.',
    wrap: onEnvelope((envelope) => {
      const { data, status } = envelope
      if (status.state !== 'success' || data.length > 0) return envelope
      return { ...envelope, status: { ...status, message: 'OK (0 rows)' } }
    }),
  },
  {
    id: 'escaped-json',
    does: 'The JSON escapes slashes and all characters beyond ASCII.',
    wrap: onEnvelope((envelope) =>
      JSON.stringify(envelope)
        .replaceAll('/', String.raw`\/`)
        .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
  },
  {
    id: 'crlf-json',
    does: 'The JSON is indented, with CRLF, and ends with a line break.',
    wrap: onEnvelope((envelope) => `${JSON.stringify(envelope, null, '\t').replaceAll('\n', '\r\n')}\r\n`),
  },
  {
    id: 'further-headers',
    does: 'Every response has a cookie, an ETag and an id.',
    wrap: withHeaders({ 'set-cookie': 'session=1; HttpOnly', etag: 'W/"1"', 'x-request-id': 'b1946ac9' }),
  },
  {
    id: 'long-message',
    does: 'The message of a success is long, in several lines and in German.',
    wrap: onEnvelope((envelope) =>
      envelope.status.state === 'success' && envelope.data.length > 0
        ? { ...envelope, status: { ...envelope.status, message: 'Zeilen gelesen: ü\n'.repeat(100) } }
        : envelope,
    ),
  },
  {
    id: 'status-with-nulls',
    does: 'The status has further members that are null, and a page token is null.',
    wrap: onEnvelope(({ data, status }) => ({
      data,
      status: { ...status, error: null, hint: null },
      next: null,
    })),
  },
  {
    id: 'cold-start',
    does: 'The first statement takes 1.5 s.',
    wrap: (fetch) => {
      let ready: Promise<unknown> | undefined
      return async (input, init) => {
        ready ??= new Promise((resolve) => setTimeout(resolve, 1500))
        await ready
        return fetch(input, init)
      }
    },
  },
  {
    id: 'one-reset',
    does: 'The network loses one request.',
    wrap: (fetch) => {
      let requests = 0
      return async (input, init) => {
        if (++requests === 20)
          throw new TypeError('fetch failed', {
            cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
          })
        return fetch(input, init)
      }
    },
  },
  {
    id: 'two-at-once',
    does: 'A third request at the same time gets 429 with Retry-After.',
    wrap: (fetch) => {
      let running = 0
      return async (input, init) => {
        if (running === 2) return new Response(null, { status: 429, headers: { 'retry-after': '0' } })
        running++
        try {
          return await fetch(input, init)
        } finally {
          running--
        }
      }
    },
  },
  {
    id: 'rate-limit-without-wait',
    does: 'After 40 requests in a second, requests get 429 without Retry-After.',
    hides: true,
    wrap: (fetch) => {
      let [from, requests] = [0, 0]
      return async (input, init) => {
        if (Date.now() - from >= 1000) [from, requests] = [Date.now(), 0]
        return ++requests > 40 ? new Response(null, { status: 429 }) : fetch(input, init)
      }
    },
  },
]
