import { capped, fence, inline, table } from '../../conformance/reports/markdown-syntax.ts'
import { plain } from '../../conformance/reports/plain.ts'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { brokenOf, detailsOf, factsOf, failuresOf, worthKnowing } from './summary.ts'

/** The longest summary of a job step on GitHub, in bytes. */
const JOB_SUMMARY_LIMIT = 1024 * 1024

/** Markdown for a job summary or a ticket: verdict, what stops the client, every habit. */
export function markdownReport(unsafe: HabitReport): string {
  const report = plain(unsafe)
  const requirements = brokenOf(report).map(({ requirement, outcome, sentence }) => [
    outcome,
    requirement,
    inline(sentence),
  ])
  const others = worthKnowing(report).map(({ id, standing, failure }) => [
    inline(id),
    standing,
    inline(failure?.message ?? ''),
  ])
  const all = report.results.map(({ id, standing, outcome }) => [inline(id), standing, outcome])
  const blocks = [
    ...section(
      'requirements',
      '## Requirements of clients, without any habit',
      ['Outcome', 'Requirement', 'Finding'],
      requirements,
    ),
    ...failuresOf(report).map((result) => ({ name: 'failures', text: failure(result) })),
    ...section('worth knowing', '## Worth knowing', ['Habit', 'Standing', 'Message'], others),
    ...(report.notes.length > 0
      ? [
          {
            name: 'notes',
            text: ['## Notes', ...report.notes.map((note) => `- ${inline(note)}`)].join('\n\n'),
          },
        ]
      : []),
    ...section('habits', '## Every habit', ['Habit', 'Standing', 'Outcome'], all),
  ]
  return capped(
    `# ${report.verdict}\n\n${inline(factsOf(report))}`,
    blocks,
    `**${report.verdict}**`,
    JOB_SUMMARY_LIMIT,
  )
}

const section = (name: string, heading: string, heads: string[], rows: string[][]) =>
  rows.length === 0 ? [] : [{ name, text: `${heading}\n\n${table(heads, rows)}` }]

function failure(result: HabitResult): string {
  const details = detailsOf(result)
  const lines = details
    .filter(([name]) => name !== 'output')
    .map(([name, text]) => `- ${name}: ${inline(text)}`)
  const output = details.filter(([name]) => name === 'output').map(([, text]) => fence(text))
  return [`## Stopped by ${inline(result.id)}`, lines.join('\n'), ...output].join('\n\n')
}
