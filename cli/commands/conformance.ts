import { Command, Option } from 'commander'
import {
  checks,
  exitCodeOf,
  parseBaseUrl,
  profileOf,
  runConformance,
  showProgress,
} from '../../conformance/index.ts'
import { contract } from '../../schemas/index.ts'
import { baselineBefore, readBaseline, writeBaseline } from '../baseline.ts'
import { showBuild } from '../build-progress.ts'
import { CommandError, EXIT } from '../exit.ts'
import { openOracle } from '../oracle.ts'
import {
  count,
  duration,
  embeddedScale,
  integer,
  natural,
  pairs,
  repeatable,
  timeLimitOption,
} from '../parse.ts'
import { openFile, openReports, reportFlag, type OpenReports, type ReportFlag } from '../reports.ts'
import { readToken, resolveToken, type TokenSource } from '../token.ts'
import { transportOf } from '../transport.ts'
import { version } from '../package.ts'

interface Flags {
  baseUrl?: string
  token?: string
  tokenCommand?: string
  expiredToken?: string
  auth: boolean
  ca?: string
  proxy?: string
  header?: Record<string, string>
  only?: string[]
  skip?: string[]
  strict?: boolean
  allowIncomplete?: boolean
  timeLimit: number
  slowStatement?: string
  allowHeavy?: boolean
  destructiveProbes?: boolean
  concurrency: number
  retries: number
  maxDuration?: number
  maxStatements?: number
  maxRows?: number
  baseline?: string
  writeBaseline?: string
  evidence: 'hashed' | 'full'
  report?: ReportFlag[]
  profileOut?: string
  seeded?: boolean
  seed: number
  scale: number
  fuzz: number
  list?: boolean
}

const EXAMPLES = `
Examples:
  $ bioprocess-sql conformance
      judges the reference server, to see what a report looks like
  $ bioprocess-sql conformance --base-url https://data.example.org --token @token.txt
      judges a service; takes a little more than the 30 s a statement may run
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --no-auth --only 'delta.*' --allow-incomplete
      only some checks, while working on them
  $ bioprocess-sql conformance --base-url https://data.example.org --write-baseline known.json
      writes what fails now as known departures; give each its reason, and its day with "expires"
  $ bioprocess-sql conformance --base-url https://data.example.org --baseline known.json
      known departures are waived; anything else that fails does, and so does an entry that is not needed any more
  $ bioprocess-sql conformance --base-url https://data.example.org --report json=report.json
      the report as one JSON document; json=- prints it. Other formats: html for people, junit for CI systems,
      markdown for a job summary, github for annotations, ndjson for a stream with a line for each check
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --token @token.txt --seeded --fuzz 2000
      a service that has loaded \`bioprocess-sql fixtures export\`, held against the reference row for row

A check that may fail sends only statements the contract documents. Nothing is written to the target
without --destructive-probes. Reports hold no token and, unless --evidence full, no row value: a value is shown
by its shape, "2026-01-31" as "0000-00-00". Statements stand as they were sent.`

export const conformanceCommand = (): Command =>
  new Command('conformance')
    .description(
      'Judge an endpoint clause by clause. Without --base-url: the reference server, on a free port.',
    )
    .option('--base-url <url>', 'where the service is, with its scheme and without /external/v1/statements/')
    .option('--token <token>', 'bearer token, or @FILE to read it from a file')
    .option(
      '--token-command <command>',
      'a shell command that prints the token; run again when the target refuses the one it printed before',
    )
    .option('--expired-token <token>', 'a token that has expired, or @FILE: it must not be let in')
    .option('--no-auth', 'the target asks for no token')
    .option(
      '--header <name:value>',
      'a further header of every request; repeatable',
      pairs(':', "'Name: value'"),
    )
    .option('--ca <file>', 'PEM file of a certificate authority that is trusted beside the usual ones')
    .option('--proxy <url>', 'sends requests through this proxy; default: HTTPS_PROXY, HTTP_PROXY, NO_PROXY')
    .option('--only <id>', 'only this check or requirement; a prefix ends in *; repeatable', repeatable)
    .option('--skip <id>', 'without this check or requirement; repeatable', repeatable)
    .option('--strict', 'warnings and notes fail')
    .option('--allow-incomplete', 'exit 0 when nothing failed but not everything could be checked')
    .addOption(
      timeLimitOption(
        "the target's execution limit; another than the contract's makes the verdict incomplete",
      ),
    )
    .option(
      '--slow-statement <sql>',
      'a statement that runs past the limit, for targets without a sleep function',
    )
    .option(
      '--allow-heavy',
      'without a sleep function, run past the limit by joins that take time and memory',
    )
    .option('--destructive-probes', 'try real writes: only against a test instance of your own')
    .option('--concurrency <n>', 'checks at once', count, 4)
    .option('--retries <n>', 'repetitions of a request that got no answer at all', natural, 1)
    .option(
      '--max-duration <duration>',
      'longest run; then the rest is not exercised (default: 30m)',
      duration,
    )
    .option('--max-statements <n>', 'the most requests; then the rest is not exercised', count)
    .option(
      '--max-rows <n>',
      'the most rows a LIMIT asks for; checks that take more are not exercised',
      count,
    )
    .option('--baseline <file>', 'known departures that are waived; one that is not needed any more fails')
    .option('--write-baseline <file>', 'writes what fails as a baseline; reasons it had are kept')
    .addOption(
      new Option('--evidence <kind>', 'hashed hides row values in the report, full adds the answers')
        .choices(['hashed', 'full'])
        .default('hashed'),
    )
    .option(
      '--report <format=file>',
      'write the report: json, ndjson, junit, markdown, github or html=FILE, - is stdout; repeatable',
      reportFlag,
    )
    .option(
      '--profile-out <file>',
      'write what the target does where the contract is silent, for serve --profile',
    )
    .option('--seeded', 'the target has loaded `fixtures export`: compare every answer with the reference')
    .option('--seed <n>', 'the seed of that export', integer, 1)
    .option('--scale <s>', 'the scale of that export', embeddedScale, 0.1)
    .option('--fuzz <n>', 'with --seeded: so many generated statements too, the same for a seed', natural, 0)
    .option('--list', 'list the checks and exit')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      if (flags.list) return list()
      if (flags.profileOut !== undefined && flags.only)
        throw new CommandError(
          'A profile takes the whole suite. Leave out --only, or --profile-out.',
          EXIT.usage,
        )
      const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline)
      const before =
        flags.writeBaseline === undefined ? undefined : baselineBefore(flags.writeBaseline, baseline)
      const profile = flags.profileOut === undefined ? undefined : openFile(flags.profileOut)
      const target = await targetOf(flags)
      const progress = showProgress(process.stderr)
      const interruption = new AbortController()
      const interrupt = () => interruption.abort()
      process.once('SIGINT', interrupt)
      let reports: OpenReports | undefined
      let oracle: Awaited<ReturnType<typeof openOracle>> | undefined
      try {
        reports = openReports(flags.report ?? [], {
          suite: { name: 'bioprocess-sql-contract', version },
          contract: { version: contract.version },
          target: { baseUrl: parseBaseUrl(target.baseUrl) },
        })
        if (flags.seeded || flags.fuzz > 0) oracle = await openOracle(flags)
        const report = await runConformance({
          ...target,
          expiredToken:
            flags.expiredToken === undefined ? undefined : readToken(flags.expiredToken, 'The expired token'),
          baseline,
          headers: flags.header ?? {},
          only: flags.only ?? [],
          skip: flags.skip ?? [],
          strict: flags.strict ?? false,
          timeLimitMs: flags.timeLimit,
          allowHeavy: flags.allowHeavy ?? false,
          destructiveProbes: flags.destructiveProbes ?? false,
          concurrency: flags.concurrency,
          retries: flags.retries,
          maxDurationMs: flags.maxDuration,
          maxStatements: flags.maxStatements,
          maxRows: flags.maxRows,
          evidence: flags.evidence,
          signal: interruption.signal,
          version,
          onResult: (result, state) => {
            progress.result(result, state)
            reports?.result(result)
          },
          slowStatement: flags.slowStatement,
          ...(oracle && { seeded: { oracle, fuzz: flags.fuzz } }),
        })
        progress.end()
        reports.publish(report)
        profile?.write(`${JSON.stringify(profileOf(report), null, 2)}\n`)
        if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, report, before)
        process.exitCode = interruption.signal.aborted
          ? EXIT.interrupted
          : exitCodeOf(report.verdict, flags.allowIncomplete ?? false)
      } finally {
        process.off('SIGINT', interrupt)
        progress.end()
        reports?.close()
        await Promise.all([target.close(), oracle?.close()])
      }
    })

/** The service to judge: the one named, else the reference server, started for the occasion. */
async function targetOf(
  flags: Flags,
): Promise<TokenSource & { baseUrl: string; fetch?: typeof fetch; close(): Promise<void> }> {
  const baseUrl = flags.baseUrl ?? process.env['BIOPROCESS_SQL_BASE_URL']
  if (baseUrl === undefined) {
    const { startServer } = await import('../../mock/index.ts')
    const build = showBuild(process.stderr)
    const { seed, scale, timeLimit: timeLimitMs } = flags
    return startServer({ seed, scale, timeLimitMs, onProgress: build.step }).finally(build.end)
  }
  const token = await resolveToken(flags)
  if (token === undefined)
    throw new CommandError(
      'No token was given. Pass --token TOKEN, --token @FILE or --token-command, set BIOPROCESS_SQL_TOKEN, or pass --no-auth when the target asks for none.',
      EXIT.usage,
    )
  return { ...token, baseUrl, fetch: await transportOf(flags), close: async () => {} }
}

function list(): void {
  const wide = Math.max(...checks.map(({ id }) => id.length))
  for (const { id, requirement, title } of checks)
    process.stdout.write(`${id.padEnd(wide)}  ${requirement.padEnd(36)}  ${title}\n`)
}
