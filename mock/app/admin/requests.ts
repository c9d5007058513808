import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { Refusal } from '../answer/refusal.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { json, type SessionOf } from './routes.ts'
import type { RequestLog } from '../log/request-log.ts'
import { readRequestFilter } from '../log/request-filter.ts'

export interface RequestRoutesOptions {
  readonly sessionOf: SessionOf
  readonly sessions: Sessions
  /** The requests of all sessions. */
  readonly allRequests: RequestLog
  readonly closing: AbortSignal
}

/** Longest time in milliseconds that a request may wait for others. */
const longestWaitMs = 60_000

/**
 * `/_mock/requests`: GET lists the requests of the session, or of all sessions with `?session=*`; DELETE forgets them. The
 * parameters `statement`, `status` and `after` select requests. `count` with `within` waits until that many have arrived, and
 * `count=0` until the time is over without any: 408 and 409 if it is otherwise. With `Accept: text/event-stream` the requests
 * are sent as they arrive, until the session ends.
 */
export function requestRoutes({ sessionOf, sessions, allRequests, closing }: RequestRoutesOptions): Hono {
  return new Hono()
    .get('/', async (c) => {
      const { raw } = c.req
      const query = new URL(raw.url).searchParams
      const session = sessionOf(raw)
      const log = query.get('session') === '*' ? allRequests : session.requests
      if (c.req.header('accept')?.includes('text/event-stream')) {
        const after = Number(c.req.header('last-event-id')) || 0
        return streamSSE(c, (stream) =>
          sessions.whileAwaited(session, async () => {
            const left = new AbortController()
            stream.onAbort(() => left.abort())
            const ended = AbortSignal.any([left.signal, raw.signal, closing, session.ending.signal])
            for await (const entry of log.follow(after, ended))
              await stream.writeSSE({ id: String(entry.id), data: JSON.stringify(entry) })
          }),
        )
      }
      const matches = readRequestFilter(query)
      const [count, withinMs] = [numberIn(query, 'count'), numberIn(query, 'within')]
      if (count === undefined) return json({ requests: log.entries().filter(matches) })
      if (withinMs === undefined || withinMs > longestWaitMs)
        throw new Refusal(
          400,
          `Give the time to wait in milliseconds, at most ${longestWaitMs}: count=1&within=2000.`,
        )
      const signal = AbortSignal.any([raw.signal, closing])
      const requests = await sessions.whileAwaited(session, () =>
        log.wait(matches, { count: Math.max(count, 1), withinMs, signal }),
      )
      if (count === 0 && requests.length > 0)
        throw new Refusal(
          409,
          `A request came that was not to come: ${requests[0]!.statement ?? 'without a statement'}.`,
        )
      if (requests.length < count)
        throw new Refusal(408, `${requests.length} of ${count} requests came within ${withinMs} ms.`)
      return json({ requests })
    })
    .delete('/', ({ req }) => {
      sessionOf(req.raw).requests.clear()
      return json({ requests: [] })
    })
}

/** @throws Refusal 400 */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal(400, `${name} is ${JSON.stringify(text)}. Give a whole number from 0.`)
}
