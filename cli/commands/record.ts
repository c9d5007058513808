import { Command } from 'commander'
import { counted } from '../../base/text/counted.ts'
import type { Profile } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import { interruptible } from '../interruption.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import { count, duration, durationOrZero, inputFile, outputFile, secretOrFile } from '../options/parse.ts'
import { targetOptions } from '../service/target-options.ts'
import { resolveToken } from '../service/token.ts'
import { transportOf } from '../service/transport.ts'
import { readProfile } from '../server/variants.ts'
import { say } from '../output/log.ts'
import { version } from '../package.ts'

const NOTES = `
Ids, names and notes become pseudonyms; numbers, times, units and codes stay, and
can still tell much about a plant. docs/twin.md lists the treatment of each column.

Without --profile FILE, the conformance suite observes the settings first. It
sends about 200 requests, some of them undocumented statements, and one that
sleeps for 30 s.

Examples:
  $ bioprocess-sql record --base-url https://data.example.org \\
      --token "@token.txt" --out twin
  $ bioprocess-sql serve --data twin --profile twin/profile.json
      serves the recorded rows with the recorded settings, offline`

const recordOptions = () =>
  withOptions(
    new Command('record').description(
      'Record a service into a folder that `serve --data` serves offline. Continues if interrupted.',
    ),
    targetOptions(),
  )
    .requiredOption('--out <dir>', 'new or empty folder, or that of an interrupted recording', outputFile)
    .option('--max-requests <n>', 'most requests to send in this run', count, 2000)
    .option('--max-rows <n>', 'most rows to receive in this run', count, 500_000)
    .option('--max-bytes <n>', 'most bytes to receive in this run, decompressed (default: 1 GiB)', count)
    .option('--max-duration <duration>', 'longest duration of this run (default: 120m)', duration)
    .option('--pause <duration>', 'wait this long before each request', durationOrZero, 0)
    .option(
      '--profile <file>',
      'use this profile, from conformance --profile-out, instead of observing the settings',
      inputFile,
    )
    .option('--no-profile', 'write no profile.json')
    .option('--keep-texts', 'keep ids, names and notes; the recording is then as confidential as the service')
    .option(
      '--pseudonym-key <key>',
      'secret of the pseudonyms, or @FILE; recordings with one key agree (default: random)',
      secretOrFile,
    )
    .option(
      '--undocumented',
      'where documented statements cannot read a view whole, also send ORDER BY and compare ids',
    )
    .addHelpText('after', NOTES)

export const recordCommand = () => recordOptions().action(recordService)

async function recordService(options: OptionsOf<typeof recordOptions>): Promise<void> {
  const { parseBaseUrl } = await import('../../conformance/connection/base-url.ts')
  const { record } = await import('../../client/twin/index.ts')
  const given = options.baseUrl ?? process.env['BIOPROCESS_SQL_BASE_URL']
  if (given === undefined)
    throw new CommandError(
      'Which service is to be recorded? Give --base-url, or set BIOPROCESS_SQL_BASE_URL.',
      EXIT.usage,
    )
  const baseUrl = parseBaseUrl(given)
  const source = await resolveToken(options, 'service')
  const profile = typeof options.profile === 'string' ? await readProfile(options.profile, say) : undefined
  const interruption = interruptible(
    `Interrupted: the recording in ${options.out} is incomplete. Run the same command to continue.`,
  )
  try {
    const target = {
      ...source,
      baseUrl,
      fetch: await transportOf(options),
      headers: options.header,
      signal: interruption.signal,
    }
    const recording = await record({
      ...target,
      out: options.out,
      maxRequests: options.maxRequests,
      maxRows: options.maxRows,
      maxBytes: options.maxBytes,
      maxDurationMs: options.maxDuration,
      pauseMs: options.pause,
      keepTexts: options.keepTexts ?? false,
      pseudonymKey: keyOf(options.pseudonymKey),
      undocumented: options.undocumented ?? false,
      observe:
        options.profile === false
          ? undefined
          : async (maxStatements, maxMs) =>
              profile ? { profile, requests: 0 } : observe(target, maxStatements, maxMs),
      version,
      say,
    })
    const rows = Object.values(recording.views).reduce((sum, view) => sum + view.rows, 0)
    const incomplete = Object.values(recording.views).filter(({ complete }) => !complete).length
    const noneIsWhole = incomplete === Object.keys(recording.views).length
    const unusable = Object.entries(recording.views).flatMap(([view, { rows, leftOut = 0 }]) =>
      rows === 0 && leftOut > 0 ? [view] : [],
    )
    say(
      `Recorded ${counted(rows, 'row')} with ${counted(recording.requests, 'request')}${incomplete > 0 ? `; ${incomplete} views are incomplete` : ''}.`,
    )
    if (!recording.finished)
      say(
        `The budget is spent. Run the same command to continue with a new one; ${options.out} can be served now.`,
      )
    else if (noneIsWhole) say('No view was read whole. The lines above and recording.json tell why.')
    if (unusable.length > 0)
      say(`All rows of ${unusable.join(', ')} are left out. The lines above tell why; correct the service.`)
    process.exitCode =
      recording.finished && !noneIsWhole && unusable.length === 0 ? EXIT.done : EXIT.incomplete
  } finally {
    interruption.end()
  }
}

/** The longest observation, so that a slow service leaves time for its rows. */
const OBSERVATION_MS = 30 * 60_000

type Observed = Awaited<
  ReturnType<NonNullable<import('../../client/twin/index.ts').RecordOptions['observe']>>
>

/** Observes the settings as `conformance --profile-out` does, one check at a time. */
async function observe(
  target: Pick<import('../../conformance/index.ts').ConformanceOptions, 'baseUrl' | 'token'>,
  maxStatements: number,
  maxMs: number,
): Promise<Observed> {
  const { runConformance, profileOf } = await import('../../conformance/index.ts')
  const { findOpenPoint } = await import('../../schemas/index.ts')
  say('Observing the settings of the service; this takes more than 30 s ...')
  const maxDurationMs = Math.min(Math.max(1, maxMs), OBSERVATION_MS)
  const report = await runConformance({ ...target, concurrency: 1, maxStatements, maxDurationMs, version })
  if (report.verdict === 'unreachable') throw new CommandError(report.reasons.join(' '))
  const profile: Profile = profileOf(report)
  for (const [number, reason] of Object.entries(report.notObserved ?? {}))
    say(`note: open point ${findOpenPoint(number)?.id} was not observed. ${reason}`)
  return { profile, requests: report.statements }
}

/** The secret of `--pseudonym-key`: at least 16 characters, so that nobody guesses it. */
function keyOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const key = text.startsWith('@') ? readInput('pseudonym key', text.slice(1)).trim() : text
  if (key.length >= 16) return key
  throw new CommandError('The pseudonym key is too short. Give at least 16 characters.', EXIT.usage)
}
