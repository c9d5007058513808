import {
  checks,
  exitCodeOf,
  parseBaseUrl,
  profileOf,
  type ReferenceServer,
  runConformance,
  showProgress,
} from '../../conformance/index.ts'
import { contract } from '../../schemas/index.ts'
import { claimText } from './claims.ts'
import { baselineBefore, readBaseline, writeBaseline } from './baseline.ts'
import { CommandError, EXIT } from '../exit.ts'
import { interruptible } from '../interruption.ts'
import type { SuiteFlags } from './suite-options.ts'
import { readToken, resolveToken, type TokenSource } from '../service/token.ts'
import { transportOf } from '../service/transport.ts'
import { showBuild } from '../output/build-progress.ts'
import { openFile } from '../files/output-file.ts'
import { openReports } from './reports.ts'
import { say } from '../output/log.ts'
import { commit, version } from '../package.ts'
import { waitForTarget } from '../service/wait-for-target.ts'

/** Runs the suite against the target, writes the reports and sets the exit code. */
export async function runSuite(options: SuiteFlags): Promise<void> {
  if (options.profileOut !== undefined && options.only)
    throw new CommandError('--profile-out needs the whole suite. Leave out --only.', EXIT.usage)
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline)
  const before =
    options.writeBaseline === undefined ? undefined : baselineBefore(options.writeBaseline, baseline)
  checkTargetName(options)
  const target = await targetOf(options)
  const progress = showProgress(process.stderr)
  const interruption = interruptible()
  let reference: ClosableReference | undefined
  try {
    const [profile, claim, nextBaseline] = [options.profileOut, options.claim, options.writeBaseline].map(
      (file) => (file === undefined ? undefined : openFile(file)),
    )
    const reports = openReports(options.report ?? [], {
      suite: { name: 'bioprocess-sql-contract', version, ...(commit && { commit }) },
      contract: { version: contract.version },
      target: {
        baseUrl: parseBaseUrl(target.baseUrl),
        ...(target.isReference && { isReference: true }),
      },
    })
    if (options.wait !== undefined) {
      const unanswered = await waitForTarget(
        { ...target, headers: options.header, anonymous: options.anonymous },
        options.wait,
        interruption.signal,
      )
      // the run still writes its reports, and ends as unreachable
      if (unanswered !== undefined) say(unanswered)
    }
    if (options.seeded) reference = await startReference(options)
    const { expiredToken, only, skip, strict, allowHeavy, destructiveProbes, slowStatement } = options
    const { allowIncomplete = false, concurrency, rate, retries, maxStatements, maxRows } = options
    const { evidence, fuzz } = options
    const report = await runConformance({
      ...target,
      expiredToken: expiredToken === undefined ? undefined : readToken(expiredToken, 'The expired token'),
      baseline,
      headers: options.header,
      only,
      skip,
      requirementSet: options.requirementSet,
      strict,
      acceptNotExercised: options.acceptNotExercised,
      timeLimitMs: options.timeLimit,
      slowStatement,
      allowHeavy,
      destructiveProbes,
      concurrency,
      rate,
      retries,
      maxDurationMs: options.maxDuration,
      maxStatements,
      maxRows,
      evidence,
      anonymous: options.anonymous,
      signal: interruption.signal,
      version,
      commit,
      onResult: (result, state) => {
        progress.result(result, state)
        reports.result(result)
      },
      ...(reference ? { seeded: { reference, fuzz } } : { fuzz }),
    })
    progress.end()
    const isAllowed =
      allowIncomplete &&
      !interruption.signal.aborted &&
      report.checks.some(({ outcome }) => outcome === 'pass')
    reports.publish(report, isAllowed)
    profile?.write(`${JSON.stringify(profileOf(report), null, 2)}\n`)
    claim?.write(claimText(report, options.targetName))
    // an interrupted run does not know all failures
    if (nextBaseline && !interruption.signal.aborted)
      writeBaseline(options.writeBaseline!, nextBaseline, report, before)
    process.exitCode = interruption.signal.aborted ? EXIT.interrupted : exitCodeOf(report.verdict, isAllowed)
  } finally {
    interruption.end()
    progress.end()
    await Promise.all([target.close(), reference?.close()])
  }
}

function checkTargetName({ targetName, claim }: SuiteFlags): void {
  if (targetName !== undefined && claim === undefined)
    throw new CommandError('--target-name needs --claim. Add it, or leave --target-name out.', EXIT.usage)
}

/** The service of `--base-url`, or with `--self` alone a reference server on a free port. */
async function targetOf(
  options: SuiteFlags,
): Promise<
  TokenSource & { baseUrl: string; isReference?: true; fetch?: typeof fetch; close(): Promise<void> }
> {
  const { baseUrl } = options
  if (baseUrl === undefined) {
    const { startServer } = await import('../../mock/index.ts')
    const build = showBuild(process.stderr)
    const { seed, scale, timeLimit: timeLimitMs } = options
    const server = await startServer({ seed, scale, timeLimitMs, onProgress: build.step }).finally(build.end)
    return { ...server, isReference: true }
  }
  const token = await resolveToken(options, 'target')
  return { ...token, baseUrl, fetch: await transportOf(options), close: async () => {} }
}

type ClosableReference = ReferenceServer & { close(): Promise<void> }

/** Starts the reference server in this process: `--seeded` compares the target with its rows. */
async function startReference({ seed, scale }: SuiteFlags): Promise<ClosableReference> {
  const { createReference } = await import('../../mock/index.ts')
  const build = showBuild(process.stderr)
  const options = { seed, scale, workers: 2, onProgress: build.step }
  return { ...(await createReference(options).finally(build.end)), seed, scale }
}

/** Prints the id, the requirement and the title of every check. The title starts with the level. */
export function listChecks(): void {
  const width = Math.max(...checks.map(({ id }) => id.length))
  for (const { id, requirement, title } of checks)
    process.stdout.write(`${id.padEnd(width)}  ${requirement.padEnd(36)}  ${title}\n`)
}
