import { defaultPlant } from '../../fixtures/default-plant.ts'
import { generatorOf } from '../../fixtures/generator-options.ts'
import { checkTimer } from '../../base/time/duration.ts'
import type { AdminAccess } from '../app/admin/guard.ts'
import type { AnswerKey } from '../app/admin/answer-key.ts'
import type { Judge } from '../app/admin/judge.ts'
import type { ServedPlant } from '../app/admin/page.ts'
import { createApp } from '../app/app.ts'
import { type Faults, faultsOf } from '../app/faults/faults.ts'
import { createSettings, type Settings } from '../open-points/settings.ts'
import { formatStatementLog } from '../app/log/statement-log.ts'
import { changeRows, viewChanges } from '../engine/views/views.ts'
import type { StatementEngine } from '../statement.ts'
import { checkAuthOptions, checkTokens } from './auth-options.ts'
import { ServerError } from './http/listen.ts'
import { pageFiles } from './page-files.ts'
import { createNodeEngine, type NodeEngine } from './pglite/index.ts'
import { usualSpeed } from './pglite/live/live-plant.ts'
import type { ReferenceOptions } from './server-options.ts'

/** An engine of this process, or one that another process shares. */
export type AnyEngine = StatementEngine & Partial<NodeEngine>

/** Loads the library for other databases only where one is named. */
async function startEngine(options: ReferenceOptions): Promise<AnyEngine> {
  const { database } = options
  if (!database) return createNodeEngine(options)
  const { createPostgresEngine } = await import('./postgres/index.ts')
  return createPostgresEngine({ ...options, ...database })
}

export interface Assembly {
  readonly app: ReturnType<typeof createApp>
  readonly token: string
  readonly faults: Faults
  readonly basePath: string
  /** Starts the engine; then the application answers statements. */
  boot(start?: () => Promise<AnyEngine>): Promise<StatementEngine>
  /** Lets `/_mock/ready` say 503. */
  announceStop(): void
  /** Ends the event streams, which do not end by themselves. */
  endStreams(): void
}

/** What differs between a server and a reference in the process. */
interface Parts {
  readonly start?: () => Promise<AnyEngine>
  readonly hasPage?: boolean
  readonly judge?: Judge | undefined
}

/** Checks the options and creates the application; the engine is started later. */
export function assemble(
  options: ReferenceOptions,
  admin: AdminAccess | false,
  { start = () => startEngine(options), hasPage, judge }: Parts = {},
): Assembly {
  const { adminToken, log, droppedLogLines } = options
  if (adminToken !== undefined) checkTokens([adminToken])
  const basePath = checkBasePath(options.basePath ?? '')
  const closing = new AbortController()
  const settings = settingsOf(options, options.database)
  if (options.database && options.live)
    throw new ServerError(
      'The rows of a database do not change by themselves. Leave out one of `live` and `database`.',
    )
  const ownRows = options.dataset !== undefined || options.database !== undefined
  if (ownRows && options.databaseClock)
    throw new ServerError(
      'Only a simulated plant has a time of its own. Leave out `databaseClock`, or your own rows.',
    )
  const auth = checkAuthOptions(options, settings['auth.mode'])
  const { seed, timeLimitMs } = options
  if (timeLimitMs !== undefined) checkTimer('timeLimitMs', timeLimitMs, 1)
  if (options.live?.intervalMs !== undefined) checkTimer('live.intervalMs', options.live.intervalMs, 1)
  const faults = faultsOf(options.faults, {
    ...(seed !== undefined && { seed }),
    ...(timeLimitMs !== undefined && { timeLimitMs }),
  })
  let engine: AnyEngine | undefined
  let isStopping = false
  const app = createApp({
    engine: () => engine,
    isStopping: () => isStopping,
    settings,
    ...(options.variantSources && { variantSources: options.variantSources }),
    ...auth.app,
    faults,
    basePath,
    admin: admin && { ...admin, ...(adminToken !== undefined && { token: adminToken }) },
    // a token that was chosen may open more than simulated rows, so only the one made here is told
    ...(hasPage && {
      page: {
        files: pageFiles,
        ...(!ownRows && !Array.isArray(options.tokens) && { token: auth.token }),
        ...(!ownRows && { plant: plantOf(options) }),
      },
    }),
    ...(judge && { judge }),
    ...(!ownRows && { answerKey: answerKeyOf(options) }),
    engineStatus: () => engine?.status?.(),
    plant: {
      now: () => engine?.plantTime?.(),
      asOf: ownRows ? undefined : (options.asOf ?? defaultPlant.asOf),
      databaseClock: options.databaseClock,
      get changes() {
        return engine?.changes
      },
    },
    residentBytes: () => process.memoryUsage.rss(),
    closing: closing.signal,
    ...(log && { log: (entry) => log(formatStatementLog(entry), entry) }),
    ...(droppedLogLines && { droppedLogLines }),
  })
  return {
    app,
    token: auth.token,
    faults,
    basePath,
    async boot(begin = start) {
      return (engine = await begin())
    },
    announceStop: () => (isStopping = true),
    endStreams: () => closing.abort(),
  }
}

/** The plant of a server that simulates one. */
function plantOf(options: ReferenceOptions): ServedPlant {
  const { seed = defaultPlant.seed, scale = defaultPlant.scale, asOf = defaultPlant.asOf, live } = options
  return { seed, scale, asOf, ...(live && !live.clock && { speed: live.speed ?? usualSpeed }) }
}

/** The causes behind the rows of a simulated plant. Loads the simulation when it is asked. */
const answerKeyOf = (options: ReferenceOptions): AnswerKey =>
  async function causes(now, run) {
    const fixtures = await import('../../fixtures/answer-key/index.ts')
    return fixtures.answerKeyOf({ ...generatorOf(options), now }, run)
  }

/** @throws ServerError for variants that would change a database which others may use */
export function settingsOf(
  { variants = {}, sql }: Pick<ReferenceOptions, 'variants' | 'sql'>,
  database: ReferenceOptions['database'],
): Settings {
  const chosen = createSettings(variants)
  const settings = sql === 'documented' ? createSettings({ 'sql.accept': sql }, chosen) : chosen
  if (database) refuseRowVariants(settings)
  return settings
}

function refuseRowVariants(settings: Settings): void {
  const changing = Object.entries(settings).filter(([id, variant]) =>
    changeRows(viewChanges(createSettings({ [id]: variant }))),
  )
  if (changing.length === 0) return
  const names = changing.map(([id, variant]) => `${id}=${variant}`).join(', ')
  throw new ServerError(
    `${names} changes the rows, which others may use in this database. Leave it out, or start the server without --database.`,
  )
}

function checkBasePath(path: string): string {
  if (path === '' || path === '/') return ''
  if (!/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+\/?$/.test(path))
    throw new ServerError(`"${path}" is not a base path. Write it like /plant-1.`)
  return path.replace(/\/$/, '')
}
