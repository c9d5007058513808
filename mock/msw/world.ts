import { createApp } from '../app/app.ts'
import { delivered } from '../app/answer/truncated-body.ts'
import type { Identity } from '../app/auth/provider.ts'
import { formatFailure } from '../app/log/statement-log.ts'
import { withHeader } from '../app/request/request-settings.ts'
import { connectSession } from '../control/connect-session.ts'
import { schemaAdditions } from '../open-points/schema/extra.ts'
import { createSettings } from '../open-points/settings.ts'
import { callOf } from './call.ts'
import type { MockControls } from './controls.ts'
import type { LazyEngine } from './lazy-engine.ts'
import { type CheckedOptions, MockError } from './options.ts'
import { RequestLog } from './request-log.ts'

export interface WorldOptions {
  readonly checked: CheckedOptions
  /** The engine, which all worlds of a mock share. */
  readonly engine: () => LazyEngine
  readonly identity: Identity
  /** Prints sentences about stubs that answered nothing. */
  readonly nameUnanswered: (sentences: readonly string[]) => void
  /** The id of its session. Default: the world of the mock itself. */
  readonly session?: string
}

/** What answers requests, and what tests change of it. */
export interface World {
  readonly controls: Omit<MockControls, 'handlers'>
  readonly isOpen: boolean
  answer(request: Request): Promise<Response>
  /** Whether a request to the path of the next version is one to the mock. */
  hasNextVersion(headers: Headers): boolean
  /** @param why is the sentence of the MockError for whoever uses it later */
  end(why: string): void
}

/** Opens a world in the state that the options of the mock describe. */
export function openWorld(options: WorldOptions): World {
  const { engine, session, nameUnanswered } = options
  const { base } = options.checked
  const requests = new RequestLog(base, session)
  let current = openState(options)
  let ended: string | undefined
  /** @throws MockError once it has ended */
  const state = () => {
    if (ended !== undefined) throw new MockError(ended)
    return current
  }
  const common = () => state().app.sessions.common

  const answer = async (request: Request): Promise<Response> => {
    // as with a server, which a call that was aborted before does not reach
    request.signal.throwIfAborted()
    const [{ app }, running, add] = [state(), engine(), requests.arrive(request)]
    const body = new Uint8Array(await request.arrayBuffer())
    const entry = add(body)
    const call = callOf(request, body, base)
    entry.sent = call
    const [, answered] = await Promise.all([running.started(), app.fetch(call)])
    const response = delivered(answered)
    requests.finish(entry, { status: response.status })
    return response
  }

  return {
    get isOpen() {
      return ended === undefined
    },
    answer,
    hasNextVersion(headers) {
      const { settings } = common()
      try {
        return schemaAdditions(withHeader(headers, () => settings.peek())).inNextVersion !== undefined
      } catch {
        // the application tells what is wrong with the header
        return true
      }
    },
    end(why) {
      if (ended === undefined) nameUnanswered(common().stubs.unanswered())
      current = openState(options)
      ended ??= why
    },
    controls: {
      fetch: async (input, init) => answer(new Request(input, init)),
      use: (variants) => common().settings.add(variants),
      once: (variants) => common().settings.once(variants),
      faults: (given) => common().faults.replace(given),
      rows: {
        put: async (rows) => state().control.rows.put(rows),
        patch: async (rows) => state().control.rows.patch(rows),
        remove: async (keys) => state().control.rows.remove(keys),
      },
      clock: {
        now: async () => state().control.clock.now(),
        advance: async (duration) => state().control.clock.advance(duration),
        set: async (time) => state().control.clock.set(time),
        run: async (speed) => state().control.clock.run(speed),
      },
      stub: async (...stubs) => state().control.stub(...stubs),
      requests: () => requests.read(),
      waitForRequest: (filter, wait) => requests.wait(filter, wait),
      reset() {
        nameUnanswered(common().stubs.unanswered())
        current = openState(options)
        requests.clear()
      },
    },
  }
}

/**
 * The application as it was created, and the client of its common session. A reset opens another one over the same engine:
 * whatever was asked before, awaited or not, stays with the one before.
 */
function openState({ checked, engine, identity }: WorldOptions) {
  const { base, tokens, data, plant, databaseClock, variants, faults, log } = checked
  const running = engine()
  const app = createApp({
    engine: () => running,
    settings: createSettings(variants),
    ...(tokens !== 'any' && { tokens }),
    faults: faults.again(),
    log: (entry) => {
      if (failedStatement.test(entry.cause ?? '')) log(`[bioprocess-sql-contract] ${formatFailure(entry)}`)
    },
    plant: {
      now: () => undefined,
      asOf: data ? undefined : plant.asOf,
      databaseClock,
      get changes() {
        return running.changes
      },
    },
    identity,
    basePath: base?.pathname.replace(/\/$/, '') ?? '',
  })
  const control = connectSession({
    id: '',
    baseUrl: 'http://localhost',
    fetch: async (input, init) => {
      await running.started()
      return delivered(await app.fetch(new Request(input, init)))
    },
  })
  return { app, control }
}

/** The causes of failed statements, without those that a test asked for. */
const failedStatement = /^(?:SqlError|StatementRefused|StubError): /
