import type { ConformanceReport } from '../../schemas/index.ts'

/** What many runs told of one target. */
export interface Tally {
  target: string
  runs: number
  /** How often each verdict was seen. */
  verdicts: Counts
  /** Checks that failed, warned or broke. Every target of a soak is right, so each is a false alarm. */
  alarms: string[]
  /** What else than the checks left out made runs incomplete. */
  gaps: string[]
  /** How often each check could not tell because rows moved, by its id. */
  inconclusive: Counts
  /** Checks that had more than one outcome, with how often each. */
  flapping: Map<string, Counts>
  inconclusivePerRun: number[]
  /** How many checks were retried. */
  retriesPerRun: number[]
  statementsPerRun: number[]
  msPerRun: number[]
}

export type Counts = ReadonlyMap<string, number>

/** Puts the reports of one target together. */
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

/** Every run leaves the time checks out, which alone makes it incomplete: told is whether anything else did. */
const verdictOf = (report: ConformanceReport): string =>
  report.verdict === 'incomplete' && gapsOf(report).length === 0
    ? 'conformant but for the time checks'
    : report.verdict

const gapsOf = ({ reasons }: ConformanceReport): string[] =>
  reasons.filter((reason) => !reason.endsWith('not all of its checks were selected.'))

/**
 * What speaks against the suite: a false alarm, a verdict that is not that of the run before. Where rows move a run
 * may be incomplete, and says so.
 */
export function faultsOf({ target, alarms, verdicts, flapping }: Tally, moves: boolean): string[] {
  const seen = [...verdicts.keys()].filter((verdict) => !(moves && verdict === 'incomplete'))
  return [
    ...alarms.map((alarm) => `${target}: ${alarm}`),
    ...(seen.length > 1 ? [`${target}: not always the same verdict but ${listed(verdicts)}`] : []),
    ...(moves ? [] : [...flapping].map(([id, outcomes]) => `${target}: ${id} is ${listed(outcomes)}`)),
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
