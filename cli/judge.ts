import {
  checks,
  exitCodeOf,
  parseBaseUrl,
  profileOf,
  runConformance,
  showProgress,
} from '../conformance/index.ts'
import { contract } from '../schemas/index.ts'
import { baselineBefore, readBaseline, writeBaseline } from './baseline.ts'
import { showBuild } from './build-progress.ts'
import { CommandError, EXIT } from './exit.ts'
import { openOracle } from './oracle.ts'
import { version } from './package.ts'
import type { ReportFlag } from './report-flag.ts'
import { openFile, openReports, type OpenReports } from './reports.ts'
import { readToken, resolveToken, type TokenSource } from './token.ts'
import { transportOf } from './transport.ts'

export interface ConformanceFlags {
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

/** Judges the target of `conformance`, writes its reports and sets the exit code. */
export async function judge(flags: ConformanceFlags): Promise<void> {
  if (flags.profileOut !== undefined && flags.only)
    throw new CommandError('A profile takes the whole suite. Leave out --only, or --profile-out.', EXIT.usage)
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline)
  const before = flags.writeBaseline === undefined ? undefined : baselineBefore(flags.writeBaseline, baseline)
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
      ...(oracle && { seeded: { reference: oracle, fuzz: flags.fuzz } }),
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
}

/** The service to judge: the one named, else the reference server, started for the occasion. */
async function targetOf(
  flags: ConformanceFlags,
): Promise<TokenSource & { baseUrl: string; fetch?: typeof fetch; close(): Promise<void> }> {
  const baseUrl = flags.baseUrl ?? process.env['BIOPROCESS_SQL_BASE_URL']
  if (baseUrl === undefined) {
    const { startServer } = await import('../mock/index.ts')
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

/** Prints the checks. */
export function listChecks(): void {
  const wide = Math.max(...checks.map(({ id }) => id.length))
  for (const { id, requirement, title } of checks)
    process.stdout.write(`${id.padEnd(wide)}  ${requirement.padEnd(36)}  ${title}\n`)
}
