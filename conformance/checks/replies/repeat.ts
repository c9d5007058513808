import { sleep } from '../../../base/until-aborted.ts'
import { view as viewOf } from '../../../schemas/index.ts'
import { questionIn } from '../../answers/answers.ts'
import { brokenKind } from '../../answers/broken.ts'
import { documentedIn, type Documented } from '../../answers/documented.ts'
import type { Exchange } from '../../connection/http/exchange.ts'
import { PLAIN_STATEMENT, TransportError } from '../../connection/http/client.ts'
import { excerpt } from '../../connection/redaction/excerpt.ts'
import { echoed } from '../../connection/redaction/secrets.ts'
import { describeReply, readReply } from '../../connection/http/reply.ts'
import { syntaxErrors } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { fail, observed, type Finding } from '../check.ts'

/** Repetitions of a broken request, with pauses in between, in milliseconds. */
const REPETITIONS = 3
const PAUSE_MS = 1000
/** Requests of one kind that are tried: on a flaky network, the first may have been broken once. */
const MOST_TRIED = 3
/** Largest reply that serves as a control, in bytes: less than what a run forgets without counting it. */
const MOST_BYTES = 4 * 1024 * 1024

const WHAT = {
  cut: 'never gets a whole reply that can be decoded,',
  foreign: 'gets a reply without an envelope',
  'early-504': 'gets HTTP 504 long before the limit',
}

/** A request that got only broken replies, and the requirement that it breaks if it gets no other one. */
interface Broken {
  kind: keyof typeof WHAT
  exchange: Exchange
  requirement: string
  documented: Documented | undefined
}

/**
 * Repeats the smallest request of each kind that never got a whole reply in the run. Fails if it gets none three times, alone, while
 * simpler statements over its views, and the one with the largest whole reply, are served before and after each.
 */
export const repeatBroken = (t: Target): Promise<{ requirement: string; finding: Finding }[]> =>
  t.once('broken replies', async () => {
    const results: { requirement: string; finding: Finding }[] = []
    const broken = brokenRequests(t)
    for (const kind of Object.keys(WHAT))
      for (const request of broken.filter((one) => one.kind === kind).slice(0, MOST_TRIED)) {
        const finding = await repeat(t, request)
        if (finding) results.push({ requirement: request.requirement, finding })
        if (finding?.outcome === 'fail') break
      }
    return results
  })

/** The requests that never got a whole reply, documented statements and small ones first. */
function brokenRequests(t: Target): Broken[] {
  const { answers, broken } = t.client
  const served = new Set(
    answers.filter((one) => readReply(one).ok).map((one) => documentedIn(one, 'any')?.meaning),
  )
  const found = new Map<string, Broken | undefined>()
  for (const exchange of [...answers, ...broken]) {
    const { body } = exchange.request
    const kind = brokenKind(exchange, t.options.timeLimitMs)
    const documented = documentedIn(exchange)
    // Another spelling of the same filter or join may be served instead. Of simple statements, only the LIMIT differs then.
    const isServed = documented && served.has(documented.meaning)
    const form = !isServed ? documented?.form : documented.isSimple ? 'REQ-SQL-3' : undefined
    // Of other requests, only documented errors may be sent again. A gateway may close the connection of one that it does not read.
    const isError = exchange.broke !== 'before headers' && isHarmless(questionIn(exchange).sql)
    const isCut = documented || isError ? 'REQ-HTTP-4' : undefined
    const requirement = { cut: isCut, foreign: form, 'early-504': isCut && 'REQ-TIME-1' }
    if (!kind && !exchange.broke) found.set(body, undefined)
    else if (kind && requirement[kind] && !found.has(body))
      found.set(body, { kind, exchange, requirement: requirement[kind], documented })
  }
  const size = ({ documented, exchange }: Broken) =>
    (documented ? (documented.limit ?? 1e6) : 1e9) * 1e4 + exchange.request.body.length
  return [...found.values()].filter((one) => one !== undefined).toSorted((a, b) => size(a) - size(b))
}

/** Whether a statement can only fail, and soon: it is no SQL, or has an unknown name. */
const isHarmless = (sql: string | undefined): boolean =>
  sql === undefined ||
  /^SELECT .*\bno_such_|v_no_such_/.test(sql) ||
  Object.values<string>(syntaxErrors).includes(sql)

/** The finding for one request; undefined if it is answered when it is repeated. */
async function repeat(t: Target, { exchange, documented, kind }: Broken): Promise<Finding | undefined> {
  const name = `\`${excerpt(echoed(documented?.sql ?? exchange.request.body))}\``
  const controls = controlsOf(t, documented)
  if (controls.includes(documented?.sql ?? '')) return observed(`${name} ${WHAT[kind]}; nothing is simpler`)
  let again = exchange
  for (let n = 0; n < REPETITIONS; n++) {
    if (n > 0) await sleep(PAUSE_MS, t.client.options.limits.signal)
    for (const sql of [...controls, undefined, ...controls]) {
      const body = sql === undefined ? exchange.request.body : JSON.stringify({ statement: sql })
      const one = await attempt(t, body)
      if (sql === undefined) again = one
      if (sql === undefined && !brokenKind(one, t.options.timeLimitMs)) return undefined
      if (sql !== undefined && !(one.response && readReply(one).ok))
        return observed(`${name} ${WHAT[kind]}, and \`${sql}\` got ${describe(one)}`, { exchanges: [one] })
    }
  }
  return fail({
    message: `${name} ${WHAT[kind]} in the run and in ${REPETITIONS} repetitions alone, while \`${controls[0]}\` is served before and after each`,
    expected: 'a JSON object {data, status}',
    actual: describe(again),
    exchanges: [again],
  })
}

/** Statements that show that the target serves the views, and replies as long as any other of the run. */
function controlsOf(t: Target, documented: Documented | undefined): string[] {
  const simple = documented?.views.map(
    (name) => `SELECT ${viewOf(name).columns[0]!.name} FROM ${name} LIMIT 1`,
  )
  const [largest] = t.client.answers
    .filter((one) => one.response!.bytes <= MOST_BYTES && readReply(one).ok && documentedIn(one))
    .toSorted((a, b) => b.response!.bytes - a.response!.bytes)
  return [...new Set([...(simple ?? []), (largest && documentedIn(largest)?.sql) ?? PLAIN_STATEMENT])]
}

/** The exchange of a request, also if its reply breaks off. */
const attempt = (t: Target, body: string): Promise<Exchange> =>
  t.client.send(body, { isForgotten: true }).catch((error: unknown) => {
    if (error instanceof TransportError) return error.exchange
    throw error
  })

const describe = (exchange: Exchange): string =>
  exchange.response
    ? `${describeReply(readReply(exchange))}, after ${Math.round(exchange.durationMs)} ms`
    : echoed(exchange.failure ?? 'no reply')
