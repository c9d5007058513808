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
  'inconclusive a run',
  'looked again a run',
  'statements a run',
  'run, ms',
]

/** What was found as Markdown. @param faults what speaks against the suite */
export function document(
  { soaked, written, postgres, skipped }: SoakResult,
  faults: readonly string[],
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
    `# The suite, run again and again, ${new Date().toISOString().slice(0, 10)}`,
    [describeMachine()[0]!, `node ${process.version}`, ...(postgres ? [postgres] : [])]
      .map((line) => `- ${line}`)
      .join('\n'),
    'Every target is right, so a fail is a false alarm. The checks that wait for the 504 are left out, which alone makes a\nrun incomplete; "conformant but for the time checks" says that nothing else did. Three numbers are least / median / most.',
    faults.length === 0
      ? 'No false alarm, and where nobody writes always the same verdict.'
      : faults.map((fault) => `- ${fault}`).join('\n'),
    table(HEAD, rows),
    ...(skipped ? [`**PostgreSQL was left out**: ${skipped}.`] : []),
    ...soaked.filter(({ moves }) => moves).map(({ tally }) => movedPart(tally)),
    ...(written ? [writtenPart(written)] : []),
  ].join('\n\n')
}

function movedPart({
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
    ...(inconclusive.size > 0 ? [`Inconclusive, in all runs together: ${listed(inconclusive)}.`] : []),
    ...(gaps.length > 0 ? [`Incomplete for another reason than the time checks: ${gaps.join('; ')}.`] : []),
    ...(lines.length > 0 ? [`Checks with more than one outcome:\n\n${lines.join('\n')}`] : []),
  ].join(' ')
}

function writtenPart({ made, seconds }: NonNullable<SoakResult['written']>): string {
  const all = Object.values(made).reduce((sum, times) => sum + times, 0)
  return `Written meanwhile: ${all} times in ${Math.round(seconds)} s, ${short(all / seconds)} a second (${listed(new Map(Object.entries(made)))}).`
}

const spread = (values: readonly number[]): string =>
  [quantile(values, 0), median(values), quantile(values, 1)].map(short).join(' / ')
