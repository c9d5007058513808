import { type ClientJudge, createClientJudge } from '../../../client/conformance/index.ts'
import { createServiceJudge } from '../../../conformance/index.ts'
import type { Recorded } from './exchange.ts'

/** What a recorder writes in place of a token. */
const CONCEALED = /^\W*$|redact|sanitiz|removed|masked/i

/** Judges the answers of a service, and the requests of each client. */
export function judge(exchanges: readonly Recorded[]) {
  const service = createServiceJudge()
  const clients = new Map<string, { judge: ClientJudge; first: number }>()
  /** Exchanges by the reason. */
  const notJudged = new Map<string, number[]>()
  let answers = 0
  for (const exchange of exchanges.toSorted((a, b) => a.endedMs - b.endedMs)) {
    const { index, client, method, path: url, headers, body, answer, ending } = exchange
    if (!clients.has(client)) clients.set(client, { judge: createClientJudge(), first: index })
    clients.get(client)!.judge.add(exchange, index)
    if (method !== 'POST' || ending === 'aborted') continue
    const gap = gapIn(exchange)
    if (gap !== undefined) {
      notJudged.set(gap, [...(notJudged.get(gap) ?? []), index])
      continue
    }
    answers++
    const request = { method, url, headers: { ...headers }, body: body.text }
    const { body: text, headers: answered, status } = answer!
    const response = { ...text, status, headers: new Headers(answered), bytes: 0, memory: 0 }
    service.add({ request, response, durationMs: 0 }, index)
  }
  const hasToken = exchanges.some(({ headers }) => !CONCEALED.test(headers['authorization'] ?? ''))
  const isTokenless = exchanges.length > 0 && !hasToken
  const ofClients = [...clients.values()].map(({ judge, first }) => ({
    first,
    findings: judge.findings().filter(({ requirement }) => !isTokenless || requirement !== 'REQ-AUTH-4'),
  }))
  return { answers, notJudged, isTokenless, service: service.findings(), clients: ofClients }
}

/** Why an answer cannot be judged; undefined if it can. */
function gapIn({ answer, body, ending, endedMs }: Recorded): string | undefined {
  if (!answer || ending !== 'complete') return 'the file lacks the answer or its end'
  if (endedMs === Infinity) return 'the file lacks its time'
  return body.isWhole && answer.body.isWhole ? undefined : 'the file lacks a body or a part of it'
}
