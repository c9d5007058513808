import { describeMachine } from '../harness/machine.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { table } from '../report.ts'
import { listed } from './tally.ts'
import type { SoakResult } from './targets.ts'

const HEAD = [
  'target',
  'runs',
  'verdicts seen',
  'fails, warnings, errors',
  'inconclusive per run',
  'retries per run',
  'statements per run',
  'run, ms',
]

/** The result as Markdown. @param problems problems of the suite */
export function document(
  { soaked, written, postgres, skipped }: SoakResult,
  problems: readonly string[],
): string {
  const rows = soaked.map(({ tally }) => [
    tally.target,
    String(tally.runs),
    listed(tally.verdicts),
    String(tally.alarms.length),
    spread(tally.inconclusivePerRun),
    spread(tally.retriesPerRun),
    spread(tally.statementsPerRun),
    short(median(tally.msPerRun)),
  ])
  return [
    `# Repeated runs of the suite, ${new Date().toISOString().slice(0, 10)}`,
    [describeMachine()[0]!, `node ${process.version}`, ...(postgres ? [postgres] : [])]
      .map((line) => `- ${line}`)
      .join('\n'),
    'Every target is correct, so each failure is a false alarm. The runs leave out the checks that wait for the\n504, so they are incomplete. The verdict "conformant but for the time checks" means that nothing else is missing. Three numbers in a cell\nare the minimum, the median and the maximum.',
    problems.length === 0
      ? 'No false alarm, and the same verdict in all runs without writes.'
      : problems.map((problem) => `- ${problem}`).join('\n'),
    table(HEAD, rows),
    ...(skipped ? [`**PostgreSQL was skipped**: ${skipped}.`] : []),
    ...soaked.filter(({ hasWrites }) => hasWrites).map(({ tally }) => writesPart(tally)),
    ...(written ? [writtenPart(written)] : []),
  ].join('\n\n')
}

function writesPart({
  target,
  runs,
  inconclusive,
  inconclusivePerRun,
  flapping,
  gaps,
}: SoakResult['soaked'][number]['tally']) {
  const none = inconclusivePerRun.filter((found) => found === 0).length
  const lines = [...flapping].map(([id, outcomes]) => `- \`${id}\`: ${listed(outcomes)}`)
  return [
    `${target}: ${none} of ${runs} runs had no inconclusive check.`,
    ...(inconclusive.size > 0 ? [`Inconclusive in all runs: ${listed(inconclusive)}.`] : []),
    ...(gaps.length > 0
      ? [`Incomplete for other reasons than the time checks, the first of ${gaps.length}: ${gaps[0]}.`]
      : []),
    ...(lines.length > 0 ? [`Checks with more than one outcome:\n\n${lines.join('\n')}`] : []),
  ].join(' ')
}

function writtenPart({ made, seconds }: NonNullable<SoakResult['written']>): string {
  const all = Object.values(made).reduce((sum, times) => sum + times, 0)
  return `Concurrent writes: ${all} in ${Math.round(seconds)} s, ${short(all / seconds)} per second (${listed(new Map(Object.entries(made)))}).`
}

const spread = (values: readonly number[]): string =>
  [quantile(values, 0), median(values), quantile(values, 1)].map(short).join(' / ')
