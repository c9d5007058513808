import { Command, Option } from 'commander'
import { contract } from '../../schemas/contract.ts'
import { type ProcessName, processNames } from '../../fixtures/processes/names.ts'
import type { Server, ServerOptions } from '../../mock/index.ts'
import { isLoopback, parseAddress } from '../../mock/node/http/listen.ts'
import { readDataFolder } from '../data-folder.ts'
import { readAgainOnChange } from '../read-again.ts'
import { CommandError, EXIT } from '../exit.ts'
import { onInterruption } from '../interruption.ts'
import { faultHelp } from '../fault-help.ts'
import { type AuthOptions, describeProvider, serverAuth, withAuthOptions } from '../options/auth.ts'
import { withConfig } from '../options/config.ts'
import {
  duration,
  durationOrZero,
  embeddedScale,
  integer,
  pairs,
  repeatable,
  speed,
  timeLimitOption,
  workers,
} from '../options/parse.ts'
import { type PlantOptions, reportByExceptionText, withPlantOptions } from '../options/plant.ts'
import { type VariantOptions, variantsToServe } from '../options/variants.ts'
import { readToken } from '../options/token.ts'
import { showBuild } from '../output/build-progress.ts'
import { droppedLines, type LogFormat, logLine, logsJson, useLogFormat, writeLog } from '../output/log.ts'
import { logLines } from '../output/log-lines.ts'
import { replaceOutput } from '../output/files.ts'
import { say } from '../output/say.ts'
import { serverLine } from '../output/server-line.ts'
import { pageJudge } from '../page-judge.ts'

/** The options of `serve`; `exec` has a part of them. Durations are in milliseconds. */
export interface ServeOptions extends AuthOptions, PlantOptions, VariantOptions {
  listen: string
  port?: number
  workers?: number
  timeLimit: number
  sql: 'any' | 'documented'
  fault?: string[]
  basePath?: string
  adminToken?: string
  adminHost?: string[]
  readyFile?: string
  /** Seconds of simulated time for each second. */
  live?: number
  database?: string
  schema?: string
  data?: string
  skipInvalid?: boolean
  runs?: number
  process?: ProcessName
  /** Milliseconds. */
  pointInterval?: number
  reportByException?: boolean
  allowTarget?: boolean
  /** Milliseconds. */
  drain?: number
  logFormat?: LogFormat
}

const EXAMPLES = `
Examples:
  $ bioprocess-sql serve
  $ bioprocess-sql serve --listen 127.0.0.1:0 --token secret --ready-file r.json
  $ bioprocess-sql serve --live 600
      ten simulated minutes pass each second: points arrive, runs start and end
  $ bioprocess-sql serve --variant rows.shape=array --variant rows.case=upper
      uses other variants where the contract leaves points open
  $ bioprocess-sql serve --variant auth.mode=client-credentials --client app:key
      issues tokens at /_mock/token
  $ bioprocess-sql serve --profile vendor.json
      uses the settings that \`conformance --profile-out\` recorded from a service
  $ bioprocess-sql serve --fault latency:50ms-400ms --fault status:503,rate=0.05
      injects faults
  $ bioprocess-sql serve --database 'postgres://reader@h1,h2/plant?sslmode=verify-full'
      runs statements on PostgreSQL, with the password in PGPASSWORD
  $ bioprocess-sql serve --data my-plant
      serves v_bioprocesses.csv, v_timeseries.ndjson.gz and other view files`

/** A running server and the variants it was started with. */
type Started = Server & { readonly variants: Readonly<Record<string, string>> }

/** The address to listen on: `--listen`, or the port of `--port` on the default host. */
export const addressOf = ({ listen, port }: Pick<ServeOptions, 'listen' | 'port'>): string =>
  port === undefined ? listen : `127.0.0.1:${port}`

/** Adds the options that `serve` and `exec` share. */
export const withServerOptions = (command: Command, listen: string): Command =>
  withPlantOptions(
    withAuthOptions(
      command
        .option('--listen <host:port>', 'address; port 0 picks a free port', listen)
        .addOption(
          new Option('--port <n>', 'port on the default host').argParser(integer).conflicts('listen'),
        ),
    ),
    embeddedScale,
    'amount of data, 0.01 to 3',
  )
    .addOption(
      new Option(
        '--data <dir>',
        'serve your own rows: <view>.ndjson, .csv (also .gz, .zst) or .parquet',
      ).conflicts(['seed', 'scale', 'asOf', 'runs', 'process', 'pointInterval', 'reportByException']),
    )
    .option(
      '--runs <n>',
      'number of runs with data (default: as many as --scale gives); fewer than 20 may end weeks before --as-of',
      integer,
    )
    .addOption(new Option('--process <name>', 'simulate only this process').choices(processNames))
    .option('--point-interval <duration>', 'time between the points of a series, such as 1m', duration)
    .option('--report-by-exception', reportByExceptionText)
    .option('--skip-invalid', 'with --data: list and skip rows that violate the contract')
    .option(
      '--workers <n>',
      'engines that run statements; slow ones get up to three more (default: 1); with --database: connections (default: 8)',
      workers,
    )
    .addOption(timeLimitOption('how long a statement may run'))
    .addOption(
      new Option('--sql <kinds>', 'accept any read-only SELECT, or only documented statements')
        .choices(['any', 'documented'])
        .default('any'),
    )
    .option(
      '--variant <id=variant>',
      'choose a variant for an open point, see `contract reference`; repeatable',
      pairs('=', 'id=variant, such as rows.shape=array'),
    )
    .option('--profile <file>', 'use the settings that conformance --profile-out recorded')
    .option(
      '--fault <spec>',
      'inject a fault, such as status:503,rate=0.2 (see below); repeatable',
      repeatable,
    )
    .option('--base-path <path>', 'path in front of /external/v1/statements/')
    .addOption(
      new Option(
        '--database <url>',
        'run statements on a PostgreSQL of your own, such as postgres://role@h1,h2/name, which `fixtures load` fills',
      ).conflicts(['data', 'seed', 'scale', 'asOf', 'runs', 'process', 'pointInterval', 'reportByException']),
    )
    .option('--schema <name>', 'with --database: the schema of the views (default: public)')
    .addHelpText('after', faultHelp)

export const serveCommand = (): Command =>
  withConfig(serveOptions())
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeOptions, command: Command) => {
      useLogFormat(options.logFormat!)
      // node would print its warnings as text
      process
        .removeAllListeners('warning')
        .on('warning', ({ name, message }) => say(`${name}: ${message}`, 'warn'))
      const log = logLines(writeLog)
      // before the start, because whoever learns of the server may end it at once
      const stopping = stopSignal().then((signal) => log(serverLine(`Stopping after ${signal}.`)))
      const server = await Promise.race([start(options, (...line) => log(serverLine(...line))), stopping])
      if (!server) {
        log(serverLine('Stopped.'))
        process.exit(EXIT.done)
      }
      const unwatch = readAgainOnChange(server, command, () => withConfig(serveOptions()))
      try {
        if (options.readyFile) writeReadyFile(options.readyFile, server)
        announce(server, options)
        await stopping
      } finally {
        unwatch()
        await server.close()
      }
      log(serverLine('Stopped.'))
    })

const serveOptions = (): Command =>
  withServerOptions(
    new Command('serve').description('Serve the contract with simulated data or your own.'),
    '127.0.0.1:4010',
  )
    .option(
      '--admin-token <token>',
      'token of /_mock/*, or @FILE; without it, /_mock/* exists only on loopback',
    )
    .option(
      '--admin-host <name>',
      'host name, other than localhost, that /_mock/* accepts; repeatable',
      repeatable,
    )
    .addOption(
      new Option(
        '--live [speed]',
        'advance simulated time from --as-of; --live 600 runs 600 times faster than real time',
      )
        .argParser(speed)
        .preset('60'),
    )
    .option('--allow-target', 'let the page at / judge other servers too')
    .option('--ready-file <file>', 'write {baseUrl, token, pid} when the server is ready')
    .option(
      '--drain <duration>',
      'after SIGTERM, answer for this long while /_mock/ready says 503 (default: 0s)',
      durationOrZero,
    )
    .addOption(
      new Option('--log-format <format>', 'lines of the log as text or as JSON')
        .choices(['text', 'json'])
        .default('text'),
    )
    // what is wrong with the other options is told in this form too
    .on('option:log-format', useLogFormat)

/**
 * Starts a server with the options of the command line.
 *
 * @param log receives a line for every statement, and sentences about the server
 * @throws CommandError for options that exclude each other
 */
export async function start(options: ServeOptions, log?: ServerOptions['log']): Promise<Started> {
  const { seed, scale, asOf, workers, timeLimit, sql, fault, basePath } = options
  const {
    adminToken,
    adminHost,
    live,
    data,
    skipInvalid,
    database,
    schema,
    runs,
    process: only,
    pointInterval,
    reportByException,
  } = options
  if (schema !== undefined && database === undefined)
    throw new CommandError('--schema needs --database. Name a database, or leave it out.', EXIT.usage)
  if (skipInvalid && data === undefined)
    throw new CommandError('--skip-invalid needs --data. Name a folder, or leave it out.', EXIT.usage)
  if (live !== undefined && (data !== undefined || database !== undefined))
    throw new CommandError(
      '--live needs the simulated plant; the rows of --data and --database do not change by themselves. Leave one of them out.',
      EXIT.usage,
    )
  const chosen = await variantsToServe(options)
  const auth = serverAuth(options)
  const own = data === undefined ? {} : { dataset: await readDataFolder(data, options, say) }
  if (database === undefined) (await import('../../mock/node/pglite/engine-workers.ts')).startEarly()
  const { startServer } = await import('../../mock/index.ts')
  const build = showBuild(process.stderr)
  const server: Server = await startServer({
    listen: addressOf(options),
    seed,
    scale,
    asOf,
    ...(runs !== undefined && { runs }),
    ...(only !== undefined && { process: only }),
    ...(pointInterval !== undefined && { pointInterval: pointInterval / 60_000 }),
    ...(reportByException && { reportByException }),
    ...(workers !== undefined && { workers }),
    ...own,
    ...(database !== undefined && {
      database: {
        url: database,
        ...(schema !== undefined && { schema }),
        ...(workers !== undefined && { connections: workers }),
      },
    }),
    timeLimitMs: timeLimit,
    sql,
    onProgress: build.step,
    ...(log ? { log, droppedLogLines: droppedLines } : {}),
    ...auth,
    ...chosen,
    ...(fault ? { faults: fault } : {}),
    ...(basePath ? { basePath } : {}),
    ...(adminToken !== undefined ? { adminToken: readToken(adminToken, 'The admin token') } : {}),
    ...(adminHost ? { adminHosts: adminHost } : {}),
    ...(live !== undefined ? { live: { speed: live } } : {}),
    ...(options.drain !== undefined && { drainMs: options.drain }),
    judge: pageJudge(() => server, options.allowTarget ?? false),
  }).finally(build.end)
  return { ...server, variants: chosen.variants }
}

function announce(server: Started, options: ServeOptions): void {
  const { baseUrl, variants } = server
  // a token that was chosen is known, and has no place in a log
  const made = options.token ? undefined : server.token
  const page = hasPage(options) ? `${new URL(baseUrl).origin}/` : undefined
  if (logsJson()) {
    const told = { baseUrl, ...(page && { page }), ...(made && { token: made }) }
    process.stdout.write(`${logLine('', 'info', { message: 'Serving.', ...told })}\n`)
    return
  }
  const token = made ?? '$TOKEN'
  const body = JSON.stringify({ statement: 'SELECT * FROM v_bioprocesses LIMIT 1' })
  process.stdout.write(
    [
      `serving   ${baseUrl}`,
      ...(page ? [`page      ${page}`] : []),
      ...(made ? [`token     ${made}`] : []),
      ...describeProvider(baseUrl, token, options, variants['auth.mode']),
      `try       curl -sS ${baseUrl}${contract.endpoint.path} -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '${body}'`,
      '',
    ].join('\n'),
  )
}

/** The page is where `/_mock/*` is. */
const hasPage = (options: ServeOptions): boolean =>
  options.adminToken !== undefined || isLoopback(parseAddress(addressOf(options)).host)

/** The file contains the token: only its owner may read it. */
const writeReadyFile = (file: string, { baseUrl, token }: Server): void =>
  replaceOutput('ready file', file, JSON.stringify({ baseUrl, token, pid: process.pid }), 0o600)

/** Resolves with the first signal that ends the server. The second one ends the process at once. */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let signals = 0
    // the first process of a container ignores a signal without a listener
    onInterruption((signal) => (++signals === 1 ? resolve(signal) : process.exit(EXIT.interrupted)), 'on')
  })
