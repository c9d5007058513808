import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import type { Settings } from '../../schemas/open-points.ts'
import type { Judge } from '../app/admin/judge.ts'
import type { FaultList, Faults } from '../app/faults/faults.ts'
import type { VariantSource } from '../app/server-settings.ts'
import type { LoggedStatement } from '../app/log/statement-log.ts'
import { generatorTypes } from '../../fixtures/generator-options.ts'
import { withScenario } from '../../fixtures/scenarios/plant.ts'
import type { AuthOptions } from './auth-options.ts'
import { type Certificate, ServerError } from './http/listen.ts'
import type { NodeEngineOptions } from './pglite/index.ts'
import type { PostgresEngineOptions } from './postgres/options.ts'

export interface ReferenceOptions extends NodeEngineOptions, AuthOptions {
  /** The bearer token that passes; short for `tokens: [token]`. */
  readonly token?: string
  /** Runs statements on PostgreSQL servers that exist already. Default: the embedded engine. */
  readonly database?: Pick<PostgresEngineOptions, 'url' | 'schema' | 'connections'>
  /**
   * What `now()`, `CURRENT_DATE` and their like tell in SQL: the time of the plant, or the real one. Default: `plant`; with own rows
   * it is always the real one.
   */
  readonly databaseClock?: 'plant' | 'real'
  /** A variant for each setting, by its id. Default: the default variants. */
  readonly variants?: Partial<Settings>
  /** `documented` is short for `sql.accept=documented` and overrides it; `any` is the default and changes nothing. */
  readonly sql?: 'any' | 'documented'
  /** The source of each of these variants, for `/_mock/variants`. Default: these options. */
  readonly variantSources?: Readonly<Record<string, VariantSource>>
  /** Injected faults, as texts (`status:503,rate=0.2`) or objects. Default: none. */
  readonly faults?: FaultList | Faults
  /** Token that `/_mock/*` requires, except `/_mock/ready`. Default: none for local requests. */
  readonly adminToken?: string
  /** Path before the path of the endpoint, such as `/plant-1`. Default: none. */
  readonly basePath?: string
  /**
   * Receives a line for every statement, and sentences about the server. If it throws, the line is counted as dropped.
   *
   * @param about the statement of the line, or what failed inside of the server
   */
  readonly log?: (line: string, about?: LoggedStatement | Error) => void
  /** The number of lines that the receiver of `log` could not write later, for `/_mock/health` and `/_mock/metrics`. */
  readonly droppedLogLines?: () => number
}

export interface ServerOptions extends ReferenceOptions {
  /** The address to listen on. Default: a free port of 127.0.0.1. */
  readonly listen?: string
  /** A port of 127.0.0.1, in place of `listen`. */
  readonly port?: number
  /** Serves HTTPS with this certificate. Default: HTTP. */
  readonly certificate?: Certificate
  /** Further host names for requests to `/_mock/*`, in addition to those of loopback and the address listened on. */
  readonly adminHosts?: readonly string[]
  /** Runs the suite for the page. Default: the page has no such tab. */
  readonly judge?: Judge
  /**
   * How long `close` goes on answering, in milliseconds, while `/_mock/ready` says 503, so that balancers send requests elsewhere.
   * Default: 0.
   */
  readonly drainMs?: number
}

const referenceTypes: OptionTypes<ReferenceOptions> = {
  ...generatorTypes,
  token: 'string',
  tokens: 'array | string',
  jwt: 'object',
  client: 'object',
  tokenLifetimeSeconds: 'number',
  variants: 'object',
  variantSources: 'object',
  sql: 'string',
  faults: 'array | object',
  adminToken: 'string',
  basePath: 'string',
  timeLimitMs: 'number',
  readerLimitMs: 'number',
  workers: 'number',
  maxWorkers: 'number',
  cacheDir: 'string',
  dataset: 'object',
  live: 'object',
  database: 'object',
  databaseClock: '"plant" | "real"',
  log: 'function',
  droppedLogLines: 'function',
  onProgress: 'function',
}

const serverTypes: OptionTypes<ServerOptions> = {
  listen: 'string',
  port: 'number',
  certificate: 'object',
  adminHosts: 'array',
  judge: 'object',
  drainMs: 'number',
  ...referenceTypes,
}

/**
 * @throws ServerError for an option that does not exist or has another type
 * @throws RangeError for a scenario that does not exist, or that has another plant
 */
export function checkedReference(options: ReferenceOptions): ReferenceOptions {
  checkOptions(options, referenceTypes, ServerError)
  return withScenario(withTokens(options))
}

/** The options with an address. @throws ServerError as {@link checkedReference}, and for both `listen` and `port` */
export function checkedServer(
  options: ServerOptions,
): ServerOptions & Required<Pick<ServerOptions, 'listen'>> {
  checkOptions(options, serverTypes, ServerError)
  const { listen, port = 0 } = options
  if (listen !== undefined && options.port !== undefined)
    throw new ServerError('Both `listen` and `port` name a port. Give one of them.')
  return { ...withScenario(withTokens(options)), listen: listen ?? `127.0.0.1:${port}` }
}

function withTokens<Options extends ReferenceOptions>(options: Options): Options {
  const { token, tokens } = options
  if (typeof tokens === 'string' && tokens !== 'any')
    throw new ServerError("`tokens` is a list, or 'any'. For one token, give `token`.")
  if (token === undefined) return options
  if (tokens !== undefined) throw new ServerError('Both `token` and `tokens` are given. Give one of them.')
  return { ...options, tokens: [token] }
}
