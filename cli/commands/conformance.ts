import { Command } from 'commander'
import {
  checks,
  exitCodeOf,
  parseBaseUrl,
  profileOf,
  runConformance,
  showProgress,
} from '../../conformance/index.ts'
import { contract } from '../../schemas/index.ts'
import { showBuild } from '../build-progress.ts'
import { CommandError, EXIT } from '../exit.ts'
import { count, natural, pairs, repeatable, timeLimitOption } from '../parse.ts'
import { openFile, openReports, reportFlag, type OpenReports, type ReportFlag } from '../reports.ts'
import { resolveToken } from '../token.ts'
import { version } from '../package.ts'

interface Flags {
  baseUrl?: string
  token?: string
  tokenCommand?: string
  auth: boolean
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
  report?: ReportFlag[]
  profileOut?: string
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
  $ bioprocess-sql conformance --base-url https://data.example.org --report json=report.json
      the report as one JSON document; json=- prints it. Other formats: html for people, junit for CI systems,
      markdown for a job summary, github for annotations, ndjson for a stream with a line for each check

A check that may fail sends only statements the contract documents. Nothing is written to the target
without --destructive-probes.`

export const conformanceCommand = (): Command =>
  new Command('conformance')
    .description(
      'Judge an endpoint clause by clause. Without --base-url: the reference server, on a free port.',
    )
    .option('--base-url <url>', 'where the service is, with its scheme and without /external/v1/statements/')
    .option('--token <token>', 'bearer token, or @FILE to read it from a file')
    .option('--token-command <command>', 'a shell command that prints the token')
    .option('--no-auth', 'the target asks for no token')
    .option(
      '--header <name:value>',
      'a further header of every request; repeatable',
      pairs(':', "'Name: value'"),
    )
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
      '--report <format=file>',
      'write the report: json, ndjson, junit, markdown, github or html=FILE, - is stdout; repeatable',
      reportFlag,
    )
    .option(
      '--profile-out <file>',
      'write what the target does where the contract is silent, for serve --profile',
    )
    .option('--list', 'list the checks and exit')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      if (flags.list) return list()
      if (flags.profileOut !== undefined && flags.only)
        throw new CommandError(
          'A profile takes the whole suite. Leave out --only, or --profile-out.',
          EXIT.usage,
        )
      const profile = flags.profileOut === undefined ? undefined : openFile(flags.profileOut)
      const target = await targetOf(flags)
      const progress = showProgress(process.stderr)
      let reports: OpenReports | undefined
      try {
        reports = openReports(flags.report ?? [], {
          suite: { name: 'bioprocess-sql-contract', version },
          contract: { version: contract.version },
          target: { baseUrl: parseBaseUrl(target.baseUrl) },
        })
        const report = await runConformance({
          baseUrl: target.baseUrl,
          token: target.token,
          headers: flags.header ?? {},
          only: flags.only ?? [],
          skip: flags.skip ?? [],
          strict: flags.strict ?? false,
          timeLimitMs: flags.timeLimit,
          allowHeavy: flags.allowHeavy ?? false,
          destructiveProbes: flags.destructiveProbes ?? false,
          concurrency: flags.concurrency,
          retries: flags.retries,
          version,
          onResult: (result, state) => {
            progress.result(result, state)
            reports?.result(result)
          },
          ...(flags.slowStatement === undefined ? {} : { slowStatement: flags.slowStatement }),
        })
        progress.end()
        reports.publish(report)
        profile?.write(`${JSON.stringify(profileOf(report), null, 2)}\n`)
        process.exitCode = exitCodeOf(report.verdict, flags.allowIncomplete ?? false)
      } finally {
        progress.end()
        reports?.close()
        await target.close()
      }
    })

/** The service to judge: the one named, else the reference server, started for the occasion. */
async function targetOf(
  flags: Flags,
): Promise<{ baseUrl: string; token: string | null; close(): Promise<void> }> {
  const baseUrl = flags.baseUrl ?? process.env['BIOPROCESS_SQL_BASE_URL']
  if (baseUrl === undefined) {
    const { startServer } = await import('../../mock/index.ts')
    const build = showBuild(process.stderr)
    return startServer({ timeLimitMs: flags.timeLimit, onProgress: build.step }).finally(build.end)
  }
  const token = resolveToken(flags)
  if (token === undefined)
    throw new CommandError(
      'No token was given. Pass --token TOKEN, --token @FILE or --token-command, set BIOPROCESS_SQL_TOKEN, or pass --no-auth when the target asks for none.',
      EXIT.usage,
    )
  return { baseUrl, token, close: async () => {} }
}

function list(): void {
  const wide = Math.max(...checks.map(({ id }) => id.length))
  for (const { id, requirement, title } of checks)
    process.stdout.write(`${id.padEnd(wide)}  ${requirement.padEnd(36)}  ${title}\n`)
}
