import { checkOptions } from '../../base/check-options.ts'
import { ServerError } from './http/listen.ts'
import { type Server, startServer } from './server.ts'
import { checkedServer, type ServerOptions } from './server-options.ts'
import { connectSession } from '../control/connect-session.ts'
import type { SessionControl } from '../control/session.ts'

/** A session of a Playwright worker, and a token that its server accepts. */
export interface PlaywrightSession extends SessionControl {
  readonly token: string
}

/** A server that runs already, or one to start for each worker. */
export type PlaywrightOptions = RunningServer | ServerOptions

interface RunningServer {
  readonly baseUrl: string
  readonly token: string
  /** The token of `--admin-token`, if the server has one. */
  readonly adminToken?: string
}

/** The part of Playwright's WorkerInfo that is read. */
interface WorkerInfo {
  readonly workerIndex: number
  readonly parallelIndex: number
}

type Fixture = (
  fixtures: object,
  use: (session: PlaywrightSession) => Promise<void>,
  info: WorkerInfo,
) => Promise<void>

/**
 * A fixture with one session a worker, which ends with it. With a server that runs already (`webServer` in the configuration),
 * workers share it without meeting; otherwise each worker starts a server.
 *
 * @example
 * const test = base.extend<object, { mock: PlaywrightSession }>({ mock: sessionFixture({ scale: 0.01 }) })
 * test.afterEach(({ mock }) => mock.reset())
 *
 * @throws ServerError for an option that does not exist
 */
export function sessionFixture(options: PlaywrightOptions = {}): [Fixture, { scope: 'worker' }] {
  const running = runningIn(options)
  if (!running) checkedServer(options as ServerOptions)
  // Playwright reads the names of fixtures from the text of the function, so its first parameter has to be a pattern
  // oxlint-disable-next-line no-empty-pattern
  const fixture: Fixture = async ({}, use, { workerIndex }) => {
    const server = running ?? (await startServer(options as ServerOptions))
    const { baseUrl, token } = server
    const session = connectSession({
      baseUrl,
      id: `worker-${workerIndex}`,
      ...(options.adminToken !== undefined && { adminToken: options.adminToken }),
    })
    try {
      await session.reset()
      await use({ ...session, token })
    } finally {
      await (running ? session.end() : (server as Server).close())
    }
  }
  return [fixture, { scope: 'worker' }]
}

/** The server that runs already; undefined if each worker starts one. @throws ServerError */
function runningIn(options: PlaywrightOptions): RunningServer | undefined {
  if ((options as Partial<RunningServer> | null)?.baseUrl === undefined) return undefined
  checkOptions(options, { baseUrl: 'string', token: 'string', adminToken: 'string' }, ServerError)
  const running = options as RunningServer
  if (running.token === undefined)
    throw new ServerError(`Give a token that ${running.baseUrl} accepts, as \`token\`.`)
  return running
}
