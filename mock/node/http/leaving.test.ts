import { EventEmitter, once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, test, vi } from 'vitest'
import type { Judge } from '../../app/admin/judge.ts'
import { createApp } from '../../app/app.ts'
import { RequestLog } from '../../app/log/request-log.ts'
import type { StatementEngine } from '../../statement.ts'
import { listen } from './listen.ts'
import { createListener } from './listener.ts'

afterEach(() => vi.restoreAllMocks())

/** Long work meets it: a request that nothing refers to is gone after it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

const changes = async () => [{ view: 'v_quantities' as const, put: [{ id: 'q' }], remove: [] }]
const plant = { now: () => undefined, asOf: '2026-01-01T00:00:00Z', changes }

const work: [method: string, path: string, body: string][] = [
  ['PUT', 'rows', '{"v_quantities": [{"id": "q"}]}'],
  ['PATCH', 'rows', '{"v_quantities": [{"id": "q"}]}'],
  ['DELETE', 'rows', '{"v_quantities": ["q"]}'],
  ['POST', 'clock', '{"advance": "1h"}'],
  ['POST', 'clock', '{"set": "2026-01-02T00:00:00Z"}'],
  ['POST', 'judge', '{}'],
  ['GET', 'requests', ''],
]

test.each(work.flatMap((one) => ['', '/s/worker-1'].map((session) => [session, ...one] as const)))(
  'the work of %s %s %s %s ends when its client leaves',
  async (session, method, path, body) => {
    const events = new EventEmitter()
    const [begun, ended] = [once(events, 'begun'), once(events, 'ended')]
    const endless = (signal: AbortSignal | undefined) => {
      events.emit('begun')
      return new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => {
          events.emit('ended')
          reject(signal.reason)
        }),
      )
    }
    const engine: StatementEngine = { execute: (_, { signal }) => endless(signal), close: async () => {} }
    const judge: Judge = {
      allowsTargets: false,
      run: (_, signal) => endless(signal),
      report: () => undefined,
    }
    vi.spyOn(RequestLog.prototype, 'follow').mockImplementation(async function* (_, signal) {
      await endless(signal).catch(() => {})
      yield* []
    })
    const app = createApp({ engine: () => engine, plant, judge })
    const { origin, stop } = await listen(createListener(app), { host: '127.0.0.1', port: 0 })
    const client = new AbortController()
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
    const init = { method, headers, signal: client.signal, ...(body && { body }) }
    const answer = fetch(`${origin}${session}/_mock/${path}`, init).then((response) => response.text())
    answer.catch(() => {})
    await begun
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
    client.abort()
    await ended
    await stop()
  },
)
