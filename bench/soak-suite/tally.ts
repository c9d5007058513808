import type { ConformanceReport } from '../../schemas/index.ts'

/** The results of many runs on one target. */
export interface Tally {
  target: string
  runs: number
  /** The number of runs with each verdict. */
  verdicts: Counts
  /** Checks with fail, warn or error. Every target is correct, so each is a false alarm. */
  alarms: string[]
  /** Reasons for incomplete runs other than the skipped checks. */
  gaps: string[]
  /** How often each check was inconclusive, by id. */
  inconclusive: Counts
  /** Checks with several outcomes, and the count of each. */
  flapping: Map<string, Counts>
  inconclusivePerRun: number[]
  /** The number of retried checks per run. */
  retriesPerRun: number[]
  statementsPerRun: number[]
  msPerRun: number[]
}

export type Counts = ReadonlyMap<string, number>

/** Tallies the reports of one target. */
export function tally(target: string, reports: readonly ConformanceReport[]): Tally {
  const results = reports.flatMap(({ checks }, index) =>
    checks.map((check) => ({ run: index + 1, ...check })),
  )
  const outcomes = new Map<string, string[]>()
  for (const { id, outcome } of results) outcomes.set(id, [...(outcomes.get(id) ?? []), outcome])
  return {
    target,
    runs: reports.length,
    verdicts: count(reports.map(verdictOf)),
    alarms: results
      .filter(({ outcome }) => ['fail', 'warn', 'error'].includes(outcome))
      .map(({ run, id, outcome, message }) => `run ${run}: ${id} ${outcome}, ${message}`),
    gaps: reports.flatMap((report, index) => gapsOf(report).map((gap) => `run ${index + 1}: ${gap}`)),
    inconclusive: count(results.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)),
    flapping: new Map(
      [...outcomes].map(([id, seen]) => [id, count(seen)] as const).filter(([, seen]) => seen.size > 1),
    ),
    inconclusivePerRun: reports.map(({ counts }) => counts.inconclusive),
    retriesPerRun: reports.map(
      ({ checks }) => checks.filter(({ message }) => /\(retry \d; first attempt: /.test(message)).length,
    ),
    statementsPerRun: reports.map(({ statements }) => statements),
    msPerRun: reports.map(({ durationMs }) => durationMs),
  }
}

/** The verdict. A run that is incomplete only because of the skipped time checks counts as conformant. */
const verdictOf = (report: ConformanceReport): string =>
  report.verdict === 'incomplete' && gapsOf(report).length === 0
    ? 'conformant but for the time checks'
    : report.verdict

/** The reasons of an incomplete run without those that follow from the skipped checks. */
const gapsOf = ({ reasons }: ConformanceReport): string[] =>
  reasons.filter((reason) => !/^Checks of .* were not selected|^No reply was missing;/.test(reason))

/**
 * Problems of the suite: false alarms, and verdicts or outcomes that differ between runs. With concurrent writes, runs may
 * be incomplete and outcomes may differ.
 */
export function problemsOf({ target, alarms, verdicts, flapping }: Tally, hasWrites: boolean): string[] {
  const seen = [...verdicts.keys()].filter((verdict) => !(hasWrites && verdict === 'incomplete'))
  return [
    ...alarms.map((alarm) => `${target}: ${alarm}`),
    ...(seen.length > 1 ? [`${target}: the verdict differs between runs: ${listed(verdicts)}`] : []),
    ...(hasWrites ? [] : [...flapping].map(([id, outcomes]) => `${target}: ${id} is ${listed(outcomes)}`)),
  ]
}

/** Counts as text: "pass 48, inconclusive 2". */
export const listed = (counts: Counts): string =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ')

function count(names: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
