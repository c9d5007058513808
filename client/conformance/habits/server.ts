import type { App } from '../../../mock/app/app.ts'
import { createApp } from '../../../mock/app/app.ts'
import { type FaultStatus, Faults, type FaultList } from '../../../mock/app/faults/faults.ts'
import { createSettings } from '../../../mock/open-points/settings.ts'
import { delivered } from '../../../mock/app/answer/truncated-body.ts'
import { listen } from '../../../mock/node/http/listen.ts'
import { createListener } from '../../../mock/node/http/listener.ts'
import { createNodeEngine, type NodeEngine, type NodeEngineOptions } from '../../../mock/node/pglite/index.ts'
import { randomToken } from '../../../mock/node/random-token.ts'
import type { Settings } from '../../../schemas/open-points.ts'
import { type Recorded, recording } from './record.ts'

/** What one server has of its own. The engine and its rows are shared. */
export interface HabitServerOptions {
  readonly variants: Partial<Settings>
  readonly faults: FaultList
  readonly onExchange: (recorded: Recorded) => void
}

/** A server for one run of a client's tests. */
export interface HabitServer {
  readonly baseUrl: string
  readonly token: string
  /** Answers in this process. Requests to `baseUrl` take it too. */
  readonly fetch: typeof globalThis.fetch
  /** The faults with the number of requests that triggered each. */
  faults(): FaultStatus[]
  close(): Promise<void>
}

/** Opens servers that share one engine, so that many runs at once cost little. */
export interface HabitServers {
  /** A server on a port of its own. */
  listen(options: HabitServerOptions): Promise<HabitServer>
  /** A server without a socket. */
  open(options: HabitServerOptions): HabitServer
  close(): Promise<void>
}

/** @throws Error if the engine cannot start */
export async function startHabitServers(options: NodeEngineOptions = {}): Promise<HabitServers> {
  const engine = await createNodeEngine(options)
  return {
    open: (one) => {
      const { app, ...rest } = assemble(engine, options, one)
      return { ...rest, baseUrl: 'http://localhost', fetch: fetchOf(app), close: async () => {} }
    },
    listen: async (one) => {
      const { app, ...rest } = assemble(engine, options, one)
      const { origin, stop } = await listen(createListener(app), { host: '127.0.0.1', port: 0 })
      return { ...rest, baseUrl: origin, fetch: globalThis.fetch, close: stop }
    },
    close: () => engine.close(),
  }
}

function assemble(
  engine: NodeEngine,
  { seed, timeLimitMs }: NodeEngineOptions,
  { variants, faults: given, onExchange }: HabitServerOptions,
) {
  const token = randomToken()
  const faults = new Faults(given, {
    ...(seed !== undefined && { seed }),
    ...(timeLimitMs !== undefined && { timeLimitMs }),
  })
  const app = createApp({
    engine: () => engine,
    plant: { now: engine.plantTime, asOf: engine.asOf, changes: engine.changes },
    settings: createSettings(variants),
    tokens: [token],
    faults,
  })
  return { app: recording(app, onExchange), token, faults: () => faults.list() }
}

const fetchOf =
  (app: App): typeof globalThis.fetch =>
  async (input, init) =>
    delivered(await app.fetch(new Request(input, init)))
