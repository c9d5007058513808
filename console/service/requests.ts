import { computed, signal } from '@preact/signals'
import type { LoggedRequest } from '../../mock/app/log/request-log.ts'
import { eventsOf } from './event-stream.ts'
import type { Service } from './service.ts'

export type { LoggedRequest }

/** Requests that the page keeps. */
const most = 1000

/** The latest requests of the session of the page, or else of all sessions, oldest first. */
export const requests = signal<readonly LoggedRequest[]>([])

/** Milliseconds since 1970 of the last time that the list was cleared. */
export const clearedAt = signal(0)
/** Those since then. */
export const listed = computed(() => requests.value.filter(({ at }) => Date.parse(at) > clearedAt.value))
/** Those that failed; neither those of users of the page nor those of the suite. */
export const failures = computed(() =>
  listed.value.filter(
    ({ state, client = '' }) =>
      state !== 'success' && client !== 'console' && !client.includes('+conformance'),
  ),
)

/** Collects the requests of a service until the signal aborts or the stream of the server ends. */
export async function followRequests(service: Service, signal: AbortSignal): Promise<void> {
  const path = service.session === undefined ? 'requests?session=*' : 'requests'
  const { ok, body } = await service.admin(path, { events: true, signal })
  if (ok && body) await collect(body)
}

async function collect(body: ReadableStream<Uint8Array>): Promise<void> {
  let waiting: LoggedRequest[] = []
  for await (const data of eventsOf(body)) {
    // a busy server sends hundreds a second: the page draws them together
    if (waiting.length === 0) setTimeout(flush, 50)
    waiting.push(JSON.parse(data) as LoggedRequest)
  }
  function flush() {
    // a stream that is opened again begins with the latest requests
    const known = new Set(requests.value.map(keyOf))
    requests.value = [...requests.value, ...waiting.filter((one) => !known.has(keyOf(one)))].slice(-most)
    waiting = []
  }
}

/** A server that was started again counts from 1 again. */
const keyOf = ({ id, at }: LoggedRequest): string => `${id} ${at}`

/**
 * Why the latest request with this statement failed, as the server logs it. The log follows the answer by some milliseconds.
 *
 * @param since milliseconds since 1970 when the statement was sent
 */
export async function causeOf(statement: string, since: number): Promise<string | undefined> {
  const line = statement.replaceAll(/\s+/g, ' ').trim().slice(0, 150)
  for (let tries = 0; tries < 8; tries++) {
    const found = requests.value.findLast(
      ({ at, statement: logged = '' }) => Date.parse(at) >= since - 1000 && logged.startsWith(line),
    )
    if (found) return found.cause
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}
