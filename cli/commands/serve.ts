import { renameSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { contract } from '../../schemas/contract.ts'
import type { Server } from '../../mock/index.ts'
import { type AuthFlags, authOptionsOf, describeProvider, withAuthOptions } from '../auth-flags.ts'
import { showBuild } from '../build-progress.ts'
import { withConfig } from '../config.ts'
import { CommandError, EXIT } from '../exit.ts'
import { faultHelp } from '../fault-help.ts'
import { readOwnRows } from '../own-rows.ts'
import {
  count,
  embeddedScale,
  instant,
  integer,
  pairs,
  repeatable,
  speed,
  timeLimitOption,
} from '../parse.ts'
import { chooseVariants } from '../variants.ts'

export interface ServeFlags extends AuthFlags {
  listen: string
  port?: number
  seed: number
  scale: number
  asOf: string
  workers: number
  timeLimit: number
  sql: 'any' | 'documented'
  variant?: Record<string, string>
  variants?: Record<string, string>
  profile?: string
  fault?: string[]
  basePath?: string
  adminToken?: string
  adminHost?: string[]
  readyFile?: string
  live?: number
  database?: string
  data?: string
  skipInvalid?: boolean
}

const EXAMPLES = `
Examples:
  $ bioprocess-sql serve
  $ bioprocess-sql serve --listen 127.0.0.1:0 --token secret --ready-file ready.json
  $ bioprocess-sql serve --live 600
      ten plant minutes a second: points arrive, runs start and finish
  $ bioprocess-sql serve --variant rows.shape=array --variant timestamps.format=millis-z
      answers as another vendor might, where the contract leaves it open
  $ bioprocess-sql serve --variant auth.mode=client-credentials --client app:secret
      issues tokens at /_mock/token, as an identity provider does
  $ bioprocess-sql serve --profile vendor.json
      behaves as the vendor that \`conformance --profile-out vendor.json\` was run against
  $ bioprocess-sql serve --fault latency:50ms-400ms --fault status:503,rate=0.05,burst=3,retry-after=1s
      fails as services do
  $ bioprocess-sql serve --data my-plant
      serves v_bioprocesses.csv, v_timeseries.ndjson.gz and what else of the nine views is in the folder

An option is taken from its flag, else from its environment variable, else from the file of --config. Variants are
taken knob by knob: from --variant, BIOPROCESS_SQL_VARIANTS (knob=slug, knob=slug), the file, then --profile.`

/** A running server, and what it does where the contract is silent. */
type Started = Server & { readonly variants: Readonly<Record<string, string>> }

/** Where a server listens: `--listen`, or the port of `--port` on the default host. */
export const addressOf = ({ listen, port }: Pick<ServeFlags, 'listen' | 'port'>): string =>
  port === undefined ? listen : `127.0.0.1:${port}`

/** The options of a server, shared by `serve` and `exec`. */
export const withServerOptions = (command: Command, listen: string): Command =>
  withAuthOptions(command.option('--listen <host:port>', 'where to listen; port 0 takes a free one', listen))
    .addOption(
      new Option('--port <n>', 'the same with the default host').argParser(integer).conflicts('listen'),
    )
    .option('--seed <n>', 'another seed is another plant', integer, 1)
    .option('--scale <s>', 'how much data: 0.01 to 3', embeddedScale, 0.1)
    .option('--as-of <time>', 'the moment the data describe', instant, '2026-01-01T00:00:00Z')
    .addOption(
      new Option(
        '--data <dir>',
        'serve rows of your own: <view>.ndjson, .csv (both also .gz, .zst) or .parquet',
      ).conflicts(['seed', 'scale', 'asOf']),
    )
    .option(
      '--skip-invalid',
      'start without the rows of --data that do not follow the contract, and list them',
    )
    .option('--workers <n>', 'engines that serve; a spare one is kept beside them', count, 1)
    .addOption(timeLimitOption('how long a statement may run'))
    .addOption(
      new Option('--sql <kinds>', 'accept any read-only SELECT, or only the documented kinds')
        .choices(['any', 'documented'])
        .default('any'),
    )
    .option(
      '--variant <knob=slug>',
      'what to do where the contract is silent, as listed by `contract reference`; repeatable',
      pairs('=', 'knob=slug'),
    )
    .option(
      '--profile <file>',
      'behave as the service that conformance --profile-out has written the file for, where the contract is silent',
    )
    .option(
      '--fault <spec>',
      'a way to fail, such as status:503,rate=0.2 (see below); repeatable',
      repeatable,
    )
    .option('--base-path <path>', 'a path before /external/v1/statements/')
    .addOption(new Option('--database <url>').hideHelp())
    .addHelpText('after', faultHelp)

export const serveCommand = (): Command =>
  withConfig(serveOptions())
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ServeFlags) => {
      const server = await start(flags, (line) => process.stderr.write(`${line}\n`))
      try {
        if (flags.readyFile) writeReadyFile(flags.readyFile, server)
        announce(server, flags)
        await stopped()
      } finally {
        await server.close()
      }
    })

const serveOptions = (): Command =>
  withServerOptions(
    new Command('serve').description('Answer the contract, on this machine, over simulated data.'),
    '127.0.0.1:4010',
  )
    .option(
      '--admin-token <token>',
      'what /_mock/* asks for; beyond loopback there is no /_mock/* without it',
    )
    .option(
      '--admin-host <name>',
      'a name besides localhost by which /_mock/* may be addressed; repeatable',
      repeatable,
    )
    .addOption(
      new Option(
        '--live [speed]',
        'let time move on from --as-of: so many plant seconds a second, 60 without a number, at most 100000',
      )
        .argParser(speed)
        .preset('60'),
    )
    .option('--ready-file <file>', 'written once the server answers: {baseUrl, token, pid}')

/**
 * Starts a server as the flags say.
 *
 * @param log told one line for every statement
 */
export async function start(flags: ServeFlags, log?: (line: string) => void): Promise<Started> {
  if (flags.database !== undefined)
    throw new CommandError(
      '--database is not built yet. Leave it out: the server then runs on its embedded PostgreSQL.',
      EXIT.usage,
    )
  if (flags.skipInvalid && flags.data === undefined)
    throw new CommandError('--skip-invalid belongs to --data. Leave it out, or name a folder.', EXIT.usage)
  if (flags.live !== undefined && flags.data !== undefined)
    throw new CommandError(
      '--live moves the simulated plant, rows of --data stand still. Leave one of the two out.',
      EXIT.usage,
    )
  const chosen = await chooseVariants(flags, process.env, (line) => process.stderr.write(`${line}\n`))
  const auth = authOptionsOf(flags)
  const own = flags.data === undefined ? {} : { dataset: await readOwnRows(flags.data, flags) }
  const { startServer } = await import('../../mock/index.ts')
  const { seed, scale, asOf, workers, timeLimit, sql, fault, basePath } = flags
  const { adminToken, adminHost, live } = flags
  const build = showBuild(process.stderr)
  const server = await startServer({
    listen: addressOf(flags),
    seed,
    scale,
    asOf,
    workers,
    ...own,
    timeLimitMs: timeLimit,
    sql,
    onProgress: build.step,
    ...(log ? { log } : {}),
    ...auth,
    ...chosen,
    ...(fault ? { faults: fault } : {}),
    ...(basePath ? { basePath } : {}),
    ...(adminToken !== undefined ? { adminToken } : {}),
    ...(adminHost ? { adminHosts: adminHost } : {}),
    ...(live !== undefined ? { live: { speed: live } } : {}),
  }).finally(build.end)
  return { ...server, variants: chosen.variants }
}

function announce(server: Started, flags: ServeFlags): void {
  const { baseUrl, token, variants } = server
  const body = JSON.stringify({ statement: 'SELECT * FROM v_bioprocesses LIMIT 1' })
  process.stdout.write(
    [
      `serving   ${baseUrl}`,
      `token     ${token}`,
      ...describeProvider(server, flags, variants['auth.mode']),
      `try       curl -sS ${baseUrl}${contract.endpoint.path} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}'`,
      '',
    ].join('\n'),
  )
}

/** Written aside and renamed, so that whoever waits for the file never reads half of it. It holds the token: 0600. */
function writeReadyFile(file: string, { baseUrl, token }: Server): void {
  try {
    writeFileSync(`${file}.part`, JSON.stringify({ baseUrl, token, pid: process.pid }), { mode: 0o600 })
    renameSync(`${file}.part`, file)
  } catch (error) {
    throw new CommandError(
      `The ready file ${file} can not be written (${(error as NodeJS.ErrnoException).code}). Name a file in a folder that exists.`,
    )
  }
}

const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
