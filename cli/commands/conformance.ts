import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { checks, exitCodeOf, runConformance, showProgress, terminalReport } from '../../conformance/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { showBuild } from '../build-progress.ts'
import { CommandError, EXIT } from '../exit.ts'
import { openOracle } from '../oracle.ts'
import { count, embeddedScale, integer, natural, pairs, repeatable, timeLimitOption } from '../parse.ts'
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
  destructiveProbes?: boolean
  concurrency: number
  retries: number
  report?: string[]
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
  $ bioprocess-sql conformance --base-url https://data.example.org --report json=report.json
      the report as one JSON document; json=- prints it
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --token @token.txt --seeded --fuzz 2000
      a service that has loaded \`bioprocess-sql fixtures export\`, held against the reference row for row

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
    .option('--destructive-probes', 'try real writes: only against a test instance of your own')
    .option('--concurrency <n>', 'checks at once', count, 4)
    .option('--retries <n>', 'repetitions of a request that got no answer at all', natural, 1)
    .option('--report <format=file>', 'write the report: json=FILE, - is stdout; repeatable', repeatable)
    .option('--seeded', 'the target has loaded `fixtures export`: compare every answer with the reference')
    .option('--seed <n>', 'the seed of that export', integer, 1)
    .option('--scale <s>', 'the scale of that export', embeddedScale, 0.1)
    .option('--fuzz <n>', 'with --seeded: so many generated statements too, the same for a seed', natural, 0)
    .option('--list', 'list the checks and exit')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      if (flags.list) return list()
      const reports = (flags.report ?? []).map(parseReport)
      const target = await targetOf(flags)
      const progress = showProgress(process.stderr)
      let oracle: Awaited<ReturnType<typeof openOracle>> | undefined
      try {
        if (flags.seeded || flags.fuzz > 0) oracle = await openOracle(flags)
        const report = await runConformance({
          baseUrl: target.baseUrl,
          token: target.token,
          headers: flags.header ?? {},
          only: flags.only ?? [],
          skip: flags.skip ?? [],
          strict: flags.strict ?? false,
          timeLimitMs: flags.timeLimit,
          destructiveProbes: flags.destructiveProbes ?? false,
          concurrency: flags.concurrency,
          retries: flags.retries,
          version,
          onResult: progress.result,
          ...(oracle && { seeded: { oracle, fuzz: flags.fuzz } }),
          ...(flags.slowStatement === undefined ? {} : { slowStatement: flags.slowStatement }),
        })
        progress.end()
        publish(report, reports)
        process.exitCode = exitCodeOf(report.verdict, flags.allowIncomplete ?? false)
      } finally {
        progress.end()
        await Promise.all([target.close(), oracle?.close()])
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
    const { seed, scale, timeLimit: timeLimitMs } = flags
    return startServer({ seed, scale, timeLimitMs, onProgress: build.step }).finally(build.end)
  }
  const token = resolveToken(flags)
  if (token === undefined)
    throw new CommandError(
      'No token was given. Pass --token TOKEN, --token @FILE or --token-command, set BIOPROCESS_SQL_TOKEN, or pass --no-auth when the target asks for none.',
      EXIT.usage,
    )
  return { baseUrl, token, close: async () => {} }
}

function parseReport(text: string): string {
  const [format, file] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]
  if (format !== 'json' || file === '')
    throw new CommandError(
      `"${text}" is no report. Write --report json=FILE, or json=- for stdout.`,
      EXIT.usage,
    )
  return file
}

function publish(report: ConformanceReport, files: string[]): void {
  const json = `${JSON.stringify(report, null, 2)}\n`
  const terminal = files.includes('-') ? process.stderr : process.stdout
  terminal.write(terminalReport(report, terminal))
  for (const file of files) {
    if (file === '-') process.stdout.write(json)
    else save(file, json)
  }
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandError(
      `The report can not be written to ${file} (${(error as NodeJS.ErrnoException).code}). Name a file in a folder that exists and can be written to.`,
      EXIT.broken,
    )
  }
}

function list(): void {
  const wide = Math.max(...checks.map(({ id }) => id.length))
  for (const { id, requirement, title } of checks)
    process.stdout.write(`${id.padEnd(wide)}  ${requirement.padEnd(36)}  ${title}\n`)
}
