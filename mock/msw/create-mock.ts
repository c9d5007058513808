import type { Dataset } from '../../fixtures/dataset.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'
import { checkOptions } from '../../base/check-options.ts'
import { lazyIdentity } from '../app/auth/provider.ts'
import { idProblem, sessionHeader } from '../app/sessions/sessions.ts'
import { nameOnce } from '../control/name-once.ts'
import type { MockControls, MockSession } from './controls.ts'
import { hrefOf, sessionInUrl } from './endpoint.ts'
import { handlersOf } from './handlers.ts'
import { lazily, type MockEngine } from './lazy-engine.ts'
import { checkedOptions, type CheckedOptions, MockError, type MockOptions } from './options.ts'
import { openWorld, type World } from './world.ts'

/** The reference server behind request handlers. */
export interface Mock extends MockControls {
  /**
   * Starts the engine now instead of at the first request. Resolves when the engine is ready.
   * @example beforeAll(() => mock.ready())
   * @throws MockError when the rows given as `data` do not match their schemas
   */
  ready(): Promise<void>
  /**
   * Begins a session, whose statements see nothing of what others change. It starts as the mock was created. Inside
   * `server.boundary` of msw, `server.use` of its handlers is enough; elsewhere its `baseUrl` or `headers` choose it.
   *
   * @param options.id 1 to 64 letters, digits, dots, hyphens and underscores. Default: a new id
   * @example
   * const session = mock.session()
   * server.use(...session.handlers)
   * await session.rows.put({ v_experiments: [{ id: 'mine' }] })
   * session.end()
   * @throws MockError for an id that is none, or that another session has
   */
  session(options?: { readonly id?: string }): MockSession
  /**
   * Resets the mock, and ends its sessions and its engine. The next request or change starts another engine. An idle engine does not keep the
   * process alive, but Jest may tear down its environment while another engine starts, so close the mock.
   * @example afterAll(() => mock.close())
   */
  close(): Promise<void>
}

/** What the engine is started with. */
export interface Boot extends GeneratorOptions {
  /** Rows instead of generated ones. */
  readonly dataset?: Dataset
  readonly timeLimitMs: number
}

/** `createMock` over a way to start the engine, which is all that differs between node and a page. */
export function mockFactory(boot: (options: Boot) => Promise<MockEngine>): (options?: MockOptions) => Mock {
  return (options = {}) => {
    const checked = checkedOptions(options)
    const { base } = checked
    const begin = () => lazily(() => start(checked, boot))
    let engine = begin()
    const shared = {
      checked,
      engine: () => engine,
      identity: lazyIdentity(),
      nameUnanswered: nameOnce(checked.log),
    }
    const common = openWorld(shared)
    const sessions = new Map<string, World>()

    /** The world of a request: that of the session that it names. */
    const worldOf = ({ url, headers }: Request): World => {
      const id = headers.get(sessionHeader)
      const world = sessions.get(id ?? sessionInUrl(url, base) ?? '')
      if (id === null || world) return world ?? common
      throw new MockError(`There is no session "${id}". Create it with mock.session({ id: "${id}" }).`)
    }

    const session = (given: { readonly id?: string } = {}): MockSession => {
      checkOptions(given, { id: 'string' }, MockError)
      const { id = globalThis.crypto.randomUUID() } = given
      const problem = idProblem(id)
      if (problem !== undefined) throw new MockError(problem)
      if (sessions.get(id)?.isOpen)
        throw new MockError(`There is a session "${id}" already. End it, or choose another id.`)
      const world = openWorld({ ...shared, session: id })
      sessions.set(id, world)
      const end = () => world.end(`The session "${id}" has ended. Create another one with mock.session().`)
      return {
        ...world.controls,
        id,
        baseUrl: `${base ? hrefOf(base) : 'http://localhost'}/s/${id}`,
        headers: { [sessionHeader]: id },
        handlers: handlersOf(base, () => world),
        end,
        [Symbol.dispose]: end,
      }
    }

    return {
      ...common.controls,
      handlers: handlersOf(base, worldOf),
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return worldOf(request).answer(request)
      },
      ready: () => engine.started(),
      session,
      close: () => {
        const ending = engine
        for (const world of sessions.values()) world.end('The mock of the session was closed.')
        engine = begin()
        common.controls.reset()
        return ending.close()
      },
    }
  }
}

async function start(
  options: CheckedOptions,
  boot: (options: Boot) => Promise<MockEngine>,
): Promise<MockEngine> {
  const { data, timeLimitMs, plant } = options
  const dataset = data && (await (await import('./own-rows.ts')).ownDataset(data))
  return boot({ ...plant, timeLimitMs, ...(dataset && { dataset }) })
}
