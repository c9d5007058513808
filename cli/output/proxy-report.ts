import { printableLine } from '../../base/text/printable.ts'
import { type Gap, gaps, type Judgement } from '../../proxy/index.ts'

type Finding = Judgement['service'][number]

const SIGNS: Readonly<Record<Finding['outcome'], string>> = {
  pass: '✓ pass',
  fail: '✗ fail',
  warn: '! warn',
  observed: '· observed',
  'not exercised': '- not exercised',
}

/** The report of `proxy` as lines: failures first, then what was kept; requirements that nothing showed are counted. */
export function proxyReport(judgement: Judgement): string {
  const { exchanges, endings, notJudged, notStored } = judgement
  const early = Object.entries(endings)
    .filter(([ending, count]) => ending !== 'complete' && count > 0)
    .map(([ending, count]) => `${count} ${ending}`)
  return [
    `${exchanges} exchanges${early.length > 0 ? `: ${early.join(', ')}` : ''}`,
    ...Object.entries(notJudged)
      .filter(([, count]) => count > 0)
      .map(([gap, count]) => `${count} exchanges were not judged: ${gaps[gap as Gap]}.`),
    ...(notStored > 0 ? [`${notStored} exchanges were not stored: the file could not be written.`] : []),
    ...(judgement.service.length > 0
      ? [...side('service', judgement.service), ...side('client', judgement.client)]
      : ['Nothing is judged. Start the proxy with --judge.']),
    '',
  ].join('\n')
}

const ORDER: readonly Finding['outcome'][] = ['fail', 'warn', 'observed', 'pass']

function side(name: string, findings: readonly Finding[]): string[] {
  const shown = ORDER.flatMap((outcome) => findings.filter((finding) => finding.outcome === outcome))
  const rest = findings.length - shown.length
  return [
    '',
    `The ${name}`,
    ...shown.map((finding) =>
      printableLine(
        `  ${SIGNS[finding.outcome].padEnd(12)}${finding.requirement.padEnd(27)} ${finding.sentence}${named(finding)}`,
      ),
    ),
    ...(rest > 0 ? [`  ${rest} requirements were not exercised.`] : []),
  ]
}

const named = ({ shownBy }: Finding): string =>
  shownBy.length === 0 ? '' : ` (${shownBy.length === 1 ? 'exchange' : 'exchanges'} ${shownBy.join(', ')})`
