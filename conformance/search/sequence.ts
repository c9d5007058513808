import { sleep } from '../../base/until-aborted.ts'
import { isAtRest } from '../answers/at-rest.ts'
import { isAboutLoad, isGatewayReply } from '../connection/http/says-nothing.ts'
import { movedRows } from '../answers/moving.ts'
import { PLAIN_STATEMENT, type SendOptions } from '../connection/http/client.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { OneConnection } from '../connection/http/one-connection.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { echoed } from '../connection/redaction/secrets.ts'
import { describeReply, readReply } from '../connection/http/reply.ts'
import { invalidBodies } from '../connection/requests/broken-bodies.ts'
import { WRONG_TOKEN } from '../connection/requests/credentials.ts'
import { joinSpelling } from '../samples/join.ts'
import { syntaxErrors, UNKNOWN_FUNCTION } from '../samples/outcomes.ts'
import type { Target } from '../connection/target.ts'
import { OwnRows } from './own-rows.ts'
import { questionOf, SideBySide } from './side-by-side.ts'
import { documentedKind, documentedKinds } from './statements/classify.ts'
import { render } from './statements/render.ts'
import { neighbours, twins } from './statements/sequence.ts'
import type { Query } from './statements/syntax.ts'

/** A request: a statement whose rows are known, or one that has to be refused. */
interface Step {
  /** The statement or the body, for messages. */
  text: string
  query?: Query
  body?: string
  /** The requirement of a request that has to be refused. */
  refusedBy?: string
  /** How it is sent, for messages; empty for a request like any other. */
  how?: 'in three packets' | 'after an idle time' | 'with Connection: close'
  options?: SendOptions
}

/** A wrong reply. */
export interface Disturbance {
  requirement: string
  message: string
  expected: string
  actual: string
  exchanges: Exchange[]
}

type Judged = Pick<Disturbance, 'requirement'> & {
  wrong?: Pick<Disturbance, 'message' | 'expected' | 'actual'>
  /** Why wrong rows prove nothing. */
  excuse?: () => Promise<string | undefined>
}

type Found = Disturbance & Judged & { step: Step }

export interface SequenceResult {
  /** Seen each time, while the same requests are answered right alone. */
  always: Disturbance[]
  /** Wrong answers that no repetition showed. */
  once: Disturbance[]
  /** The number of replies by requirement. */
  counts: ReadonlyMap<string, number>
}

const REPETITIONS = 3
/** An idle time before a request: longer than a second, and shorter than most servers keep a connection. */
const IDLE_MS = 1200
/** Time between two requests, in which bytes behind a reply arrive, in milliseconds. */
const BETWEEN_MS = 20
/** The requirement to execute a statement. */
const SERVED = 'REQ-HTTP-1'

const requirementsOf = ({ query, refusedBy }: Step): string[] =>
  query ? [documentedKinds[documentedKind(query)], SERVED] : [refusedBy!]

/**
 * Sends statements whose rows are known, and requests that have to be refused, one after another over one connection; then some
 * pairs of statements at once. Undefined if no view rests.
 */
export async function askInSequence(t: Target): Promise<SequenceResult | undefined> {
  const own = await OwnRows.read(t)
  const values = await own.values()
  const resting = own.changing
    .filter((view) => own.rows(view).every((row) => isAtRest(t, row['last_updated_at'])))
    .toSorted((one, other) => values.size(one) - values.size(other))
  const view = resting.find((each) => values.size(each) > 2 && values.dates(each).length > 0)
  if (!view) return undefined
  const context = { values, views: resting, as: (await joinSpelling(t)).as }
  const both = new SideBySide(t, own)
  const steps = stepsOf(t, neighbours(context, view))
  const pairs = t.options.concurrency === 1 ? [] : twins(context, view, resting.at(-1)!)
  const together = pairs.map((pair) => pair.map((query) => stepOf(query)))
  const counts = new Map<string, number>()

  /** Undefined if the target does not serve the first request of a connection. */
  const visit = async (): Promise<Map<Step | 'behind', Found> | undefined> => {
    const found = new Map<Step | 'behind', Found>()
    const ask = async (step: Step, where: string, before: readonly Exchange[], send?: typeof fetch) => {
      const exchange = await exchangeOf(t, step, send)
      const judged = await judge(both, step, exchange)
      if (judged && exchange.response)
        for (const id of new Set([judged.requirement, ...requirementsOf(step)]))
          counts.set(id, (counts.get(id) ?? 0) + 1)
      const how = [step.how, where].filter(Boolean).join(', ')
      const exchanges = [...before, exchange]
      const { wrong } = judged ?? {}
      const message = `\`${step.text}\`, ${how}: ${wrong?.message}`
      if (!judged || !wrong) return exchange
      const one = { ...judged, ...wrong, step, message, exchanges }
      found.set(step, one)
      if (isBehind(exchange)) found.set('behind', one)
      return exchange
    }
    // Another `fetch` than the global one may use a proxy, or authorities of its own.
    const isPlain = t.client.options.fetch === globalThis.fetch
    const connection = isPlain ? new OneConnection() : undefined
    let before: { step: Step; exchange: Exchange } | undefined
    try {
      for (const [index, step] of steps.entries()) {
        const isIdle = connection && step.how === 'after an idle time'
        await sleep(isIdle ? IDLE_MS : BETWEEN_MS, t.client.options.limits.signal)
        const send = step.how === 'in three packets' ? connection?.fetchInParts : connection?.fetch
        const where = before
          ? `request ${index + 1} of a connection, behind \`${before.step.text}\``
          : 'first'
        const exchange = await ask(step, where, before ? [before.exchange] : [], send)
        if (!before && found.size > 0) return undefined
        before = { step, exchange }
      }
    } finally {
      connection?.close()
    }
    for (const pair of together)
      await Promise.all(pair.map((step, n) => ask(step, `beside \`${pair[1 - n]!.text}\``, [])))
    return found
  }

  // A target may refuse one request in a run.
  const first = (await visit()) ?? (await visit()) ?? new Map()
  let again = first
  let losesAtRandom = false
  for (let n = 0; n < REPETITIONS && again.size > 0; n++) {
    // One more each time: a fault of every nth request does not meet the same step again.
    for (let more = 0; more <= n; more++) await exchangeOf(t, { text: PLAIN_STATEMENT })
    const next = (await visit()) ?? new Map()
    losesAtRandom ||= [...first, ...next].some(
      ([step, one]) => isLost(one) && !(first.has(step) && next.has(step)),
    )
    again = new Map([...next].filter(([step]) => again.has(step)))
  }
  if (resting.some((each) => movedRows(t, each).size > 0)) return { always: [], once: [], counts }
  const always: Disturbance[] = []
  for (const found of again.values())
    if (!(losesAtRandom && isLost(found)) && (await isProven(both, found))) always.push(found)
  // A request that was not served once may have been lost.
  const once = [...first].filter(([step, { requirement }]) => !again.has(step) && requirement !== SERVED)
  return { always, once: once.map(([, found]) => found), counts }
}

/** Whether bytes behind a reply broke it or the next one, which depends on when they arrive. */
const isBehind = ({ failure = '' }: Exchange): boolean => /\bHPE_/.test(failure)

/** Whether a step got no reply. Where the lost ones differ between visits, a connection that breaks at random is the cause. */
const isLost = ({ exchanges }: Disturbance): boolean => {
  const last = exchanges.at(-1)!
  return !last.response && !isBehind(last)
}

const stepOf = (query: Query, how?: Step['how']): Step => ({
  text: render(query),
  query,
  ...(how && { how }),
  ...(how === 'with Connection: close' && { options: { headers: { Connection: 'close' } } }),
})

const refused = (refusedBy: string, sql: string, options: SendOptions = {}): Step => ({
  text: sql,
  body: JSON.stringify({ statement: sql }),
  refusedBy,
  options,
})

/** The requests in their order. Behind each that has to be refused comes a statement. The deltas have one shape. */
function stepsOf(t: Target, { few, all, deltas, long }: ReturnType<typeof neighbours>): Step[] {
  const wrong = { authorization: `Bearer ${WRONG_TOKEN}` }
  const delta = (n: number, how?: Step['how']) => stepOf(deltas[n] ?? few, how)
  return [
    stepOf(few),
    // The only refusal that a service gives after it has read the names: a transaction may stay aborted behind it.
    refused('REQ-ERR-6', UNKNOWN_FUNCTION),
    stepOf(all),
    ...(t.client.token === null ? [] : [refused('REQ-AUTH-2', render(few), wrong)]),
    delta(0),
    refused('REQ-ERR-4', syntaxErrors['an unbalanced parenthesis']),
    delta(1),
    { text: invalidBodies.truncated, body: invalidBodies.truncated, refusedBy: 'REQ-ERR-3' },
    stepOf(long),
    refused('REQ-ERR-1', `SELECT id FROM ${t.unknownView} LIMIT 1`),
    delta(2),
    delta(3),
    delta(4),
    delta(5, 'in three packets'),
    delta(6, 'after an idle time'),
    stepOf(long, 'with Connection: close'),
  ]
}

/** The exchange of a step, also without a reply. A request that is lost is not sent again. */
async function exchangeOf(t: Target, step: Step, send?: typeof fetch): Promise<Exchange> {
  const body = step.body ?? JSON.stringify({ statement: step.text })
  try {
    return await t.client.send(body, { ...step.options, ...(send && { fetch: send }), retries: 0 })
  } catch (error) {
    if (error instanceof TransportError) return error.exchange
    throw error
  }
}

/** @returns undefined if the reply proves nothing, or the rows are not known */
async function judge(
  both: SideBySide<OwnRows>,
  { query, refusedBy }: Step,
  exchange: Exchange,
): Promise<Judged | undefined> {
  const { response, broke, failure } = exchange
  if (!response && !broke) return undefined
  const requirement = refusedBy ?? SERVED
  const notServed = (actual: string): Judged => ({
    requirement,
    wrong: { message: `got ${actual}`, expected: query ? 'state "success"' : 'a refusal', actual },
  })
  if (!response) return { ...notServed(`no reply: ${echoed(failure ?? '')}`), requirement: SERVED }
  const reply = readReply(exchange)
  if (refusedBy !== undefined)
    return reply.ok ? { ...notServed(describeReply(reply)), excuse: async () => undefined } : { requirement }
  if (!reply.ok) {
    // An invalid token can lock an account, and a burst can reach a limit.
    const isUnknown = isGatewayReply(reply) || isAboutLoad(exchange)
    return isUnknown ? undefined : notServed(describeReply(reply))
  }
  const question = questionOf(query!)
  const result = await both.judge(question, async () => reply)
  const kind = documentedKinds[documentedKind(query!)]
  if (result.is === 'same') return { requirement: kind }
  if (result.is !== 'differs') return undefined
  const { actual, expected, chosen = expected.length } = result.results
  const isMiscounted = !query!.join && !query!.after && actual.length !== chosen
  return {
    requirement: isMiscounted ? 'REQ-SQL-3' : kind,
    wrong: result.difference,
    excuse: () => both.source.excuse(question, reply, result.results),
  }
}

/** Whether the request is answered right alone, or its rows are wrong everywhere. */
async function isProven(both: SideBySide<OwnRows>, { step, excuse }: Found): Promise<boolean> {
  // More than once: the fault may be one of every nth request, and meet it alone too.
  for (let n = 0; n < REPETITIONS; n++) {
    const exchange = await exchangeOf(both.target, { ...step, options: authorizationOf(step) })
    const alone = await judge(both, step, exchange)
    if (alone && !alone.wrong) return true
  }
  return excuse !== undefined && (await excuse()) === undefined
}

const authorizationOf = ({ options }: Step): SendOptions =>
  options?.authorization === undefined ? {} : { authorization: options.authorization }
