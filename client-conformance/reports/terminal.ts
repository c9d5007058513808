import { painter } from '../../conformance/reports/paint.ts'
import { plain } from '../../conformance/reports/plain.ts'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { brokenOf, detailsOf, factsOf, failuresOf, worthKnowing } from './summary.ts'

/** The report for a terminal: verdict, what stops the client, what is worth knowing, verdict. */
export function terminalReport(unsafe: HabitReport, stream: { isTTY?: boolean } = {}): string {
  const report = plain(unsafe)
  const paint = painter(stream)
  const verdict = `${paint(['bold', STYLE[report.verdict]], report.verdict)}  ${paint('gray', factsOf(report))}`
  const block = (result: HabitResult) =>
    [
      `${paint('red', '✗ stopped')}  ${paint('bold', result.id)}`,
      ...detailsOf(result).map(
        ([name, text]) => `  ${paint('gray', name.padEnd(11))}  ${text.replaceAll('\n', '\n    ')}`,
      ),
    ].join('\n')
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : [paint('bold', heading), ...lines.map((line) => `  ${line}`)].join('\n')
  const others = worthKnowing(report).map(
    ({ id, standing, failure }) => `${id} (${standing}): ${firstLine(failure?.message)}`,
  )
  const requirements = brokenOf(report).map(
    ({ requirement, outcome, sentence }) => `${outcome} ${requirement}: ${sentence}`,
  )
  const waived = report.results.flatMap(({ id, reason }) =>
    reason === undefined ? [] : [`${id}: ${reason}`],
  )
  const blocks = [
    verdict,
    list('requirements of clients, without any habit', requirements),
    ...failuresOf(report).map(block),
    list('worth knowing', others),
    list('waived', waived),
    list('notes', report.notes),
    verdict,
  ]
  return `${blocks.filter((text) => text !== '').join('\n\n')}\n`
}

const STYLE = { passed: 'green', stopped: 'red', incomplete: 'yellow' } as const

const firstLine = (text = ''): string => text.split('\n')[0]!
