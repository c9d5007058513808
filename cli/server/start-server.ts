import { type GeneratorOptions, generatorOf } from '../../fixtures/generator-options.ts'
import type { Server, ServerOptions } from '../../mock/index.ts'
import { readDataFolder } from './data-folder.ts'
import { CommandError, EXIT } from '../exit.ts'
import { type AuthOptions, serverAuth } from './auth-options.ts'
import type { ServeFlags } from './serve-options.ts'
import type { ServerFlags } from './server-options.ts'
import { readInput } from '../files/input-file.ts'
import { readToken } from '../service/token.ts'
import { variantsToServe } from './variants.ts'
import { showBuild } from '../output/build-progress.ts'
import { droppedLines, say } from '../output/log.ts'
import { pageJudge } from './page-judge.ts'

/** A running server and the variants it was started with. */
export type Started = Server & { readonly variants: Readonly<Record<string, string>> }

/** Options that become something else here, and those that `serve` reads itself. The server takes all others as they are. */
type Read =
  | keyof (AuthOptions & GeneratorOptions)
  | ('listen' | 'port' | 'cert' | 'key' | 'data' | 'skipInvalid' | 'database' | 'schema')
  | ('variant' | 'profile' | 'live' | 'adminToken' | 'allowTarget' | 'readyFile' | 'logFormat' | 'config')

/** The address to listen on: `--listen`, or the port of `--port` on the default host. */
export const addressOf = ({ listen, port }: Pick<ServerFlags, 'listen' | 'port'>): string =>
  port === undefined ? listen : `127.0.0.1:${port}`

function certificateOf({ cert, key }: Partial<ServeFlags>): ServerOptions['certificate'] {
  return cert && key ? { cert: readInput('certificate', cert), key: readInput('key', key) } : undefined
}

/**
 * Starts a server with the options of the command line; `exec` has only a part of them.
 *
 * @param log receives a line for every statement, and sentences about the server
 * @throws CommandError for options that exclude each other
 */
export async function start(
  options: ServerFlags & Partial<ServeFlags>,
  log?: ServerOptions['log'],
): Promise<Started> {
  const { workers, databaseClock, timeLimit, sql, fault, basePath, adminHost, drain, ...rest } = options
  // the compiler names an option that is neither here nor one of those above
  rest satisfies Record<Exclude<keyof typeof rest, Read>, never>
  const { data, database, schema, live, scenario, pointInterval, adminToken } = rest
  const plant = generatorOf({ ...options, pointInterval: pointInterval && pointInterval / 60_000 })
  if (schema !== undefined && database === undefined)
    throw new CommandError('--schema needs --database. Name a database, or leave it out.', EXIT.usage)
  if (options.skipInvalid && data === undefined)
    throw new CommandError('--skip-invalid needs --data. Name a folder, or leave it out.', EXIT.usage)
  if (live !== undefined && (data !== undefined || database !== undefined))
    throw new CommandError(
      '--live needs the simulated plant; the rows of --data and --database do not change by themselves. Leave one of them out.',
      EXIT.usage,
    )
  if ((options.cert === undefined) !== (options.key === undefined))
    throw new CommandError('--cert and --key belong together. Give both, or none.', EXIT.usage)
  const chosen = await variantsToServe(options)
  const auth = serverAuth(options)
  const dataset = data === undefined ? undefined : await readDataFolder(data, options, say)
  if (database === undefined) (await import('../../mock/node/pglite/engine-workers.ts')).startEarly()
  const { startServer } = await import('../../mock/index.ts')
  const build = showBuild(process.stderr)
  const server: Server = await startServer({
    listen: addressOf(options),
    certificate: certificateOf(options),
    // the other options have defaults
    ...(scenario === undefined ? plant : { scenario }),
    workers,
    dataset,
    database: database === undefined ? undefined : { url: database, schema, connections: workers },
    databaseClock,
    timeLimitMs: timeLimit,
    sql,
    onProgress: build.step,
    log,
    droppedLogLines: log && droppedLines,
    ...auth,
    ...chosen,
    faults: fault,
    basePath,
    adminToken: adminToken === undefined ? undefined : readToken(adminToken, 'The admin token'),
    adminHosts: adminHost,
    live: live === undefined ? undefined : { speed: live },
    drainMs: drain,
    judge: pageJudge(() => server, options.allowTarget ?? false),
  }).finally(build.end)
  return { ...server, variants: chosen.variants }
}
