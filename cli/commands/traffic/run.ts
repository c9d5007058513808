import { counted } from '../../../base/text/counted.ts'
import { printableLine } from '../../../base/text/printable.ts'
import { parseBaseUrl } from '../../../conformance/connection/base-url.ts'
import { Secrets, TOKEN_VARIABLE } from '../../../conformance/connection/redaction/secrets.ts'
import { SYMBOLS } from '../../../conformance/reports/symbols.ts'
import { namedExchanges, type TrafficFinding } from '../../../schemas/traffic-finding.ts'
import { EXIT } from '../../exit.ts'
import { readHar } from './har.ts'
import { judge } from './judge.ts'
import { select } from './select.ts'

/** Judges the traffic in a HAR file. Returns a report without tokens, and the exit code. @throws CommandError, UsageError */
export async function judgeFile(file: string, baseUrl?: string) {
  const wanted = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl)
  const { exchanges, others } = select(readHar(file), wanted)
  const secrets = new Secrets()
  for (const { headers } of exchanges)
    secrets.add((headers['authorization'] ?? '').replace(/^\w+ +/, ''), TOKEN_VARIABLE)
  const judged = await secrets.during(async () => judge(exchanges))
  const { answers, notJudged, isTokenless, service, clients } = judged
  const aborted = exchanges.filter(({ ending }) => ending === 'aborted').length
  const lines = [
    `${counted(exchanges.length, 'exchange')}${aborted > 0 ? `, ${aborted} aborted` : ''}`,
    ...[...notJudged].map(([why, at]) => `${counted(at.length, 'exchange')} not judged: ${why}${named(at)}`),
    ...(isTokenless
      ? ['REQ-AUTH-4 not judged: no request has Authorization, which Chrome exports as sensitive data only']
      : []),
    ...(others.length > 0
      ? [`${counted(others.length, 'other request')}: ${listed([...new Set(others)])}`]
      : []),
    ...side('The service', service),
    ...clients.flatMap(({ first, findings }) =>
      side(clients.length > 1 ? `The client of exchange ${first}` : 'The client', findings),
    ),
  ]
  const isBroken = [service, ...clients.map(({ findings }) => findings)]
    .flat()
    .some(({ outcome }) => outcome === 'fail')
  const isPartial = answers === 0 || notJudged.size > 0 || isTokenless
  const exitCode = isBroken ? EXIT.failed : isPartial ? EXIT.incomplete : EXIT.done
  return { report: secrets.redact(`${lines.map(printableLine).join('\n')}\n`), exitCode }
}

function side(title: string, findings: readonly TrafficFinding[]): string[] {
  const shown = (['fail', 'warn', 'observed', 'pass'] as const).flatMap((outcome) =>
    findings
      .filter((finding) => finding.outcome === outcome)
      .map(({ requirement, sentence, shownBy }) => {
        const sign = `${SYMBOLS[outcome].mark} ${outcome}`
        return `  ${sign.padEnd(12)}${requirement.padEnd(27)} ${sentence}${named(shownBy)}`
      }),
  )
  return ['', title, ...shown, `  ${findings.length - shown.length} requirements were not exercised.`]
}

const named = (indexes: readonly number[]): string =>
  indexes.length === 0 ? '' : ` (${indexes.length === 1 ? 'exchange' : 'exchanges'} ${listed(indexes)})`

const listed = (all: readonly (string | number)[]): string =>
  all.slice(0, namedExchanges).join(', ') + (all.length > namedExchanges ? ', …' : '')
