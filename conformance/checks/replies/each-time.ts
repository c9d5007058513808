import { contract, type ViewName } from '../../../schemas/index.ts'
import { answersOf } from '../../answers/answers.ts'
import { documentedIn, type Documented } from '../../answers/documented.ts'
import type { Exchange } from '../../connection/http/exchange.ts'
import { ifReadable } from '../../connection/not-exercised.ts'
import { readReply, type Reply } from '../../connection/http/reply.ts'
import { UNKNOWN_FUNCTION } from '../../samples/outcomes.ts'
import { isAboutLoad, isGatewayReply } from '../../connection/http/says-nothing.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, wrongReply, type Check, type Finding } from '../check.ts'

/** An error of the service for a documented statement that it serves at another moment of the run. */
interface Refused {
  sql: string
  reply: Reply
  /** The known view that does not exist, as the message says. */
  missing: ViewName | undefined
}

/** Maximum number of refused statements that are repeated to see whether they are served. */
const MOST_TRIED = 12
/** How often a refused statement is repeated alone: behind an error, and as often as a pool may have connections. */
const [ROUNDS, IN_ROUND] = [8, 4]

const NO_VIEW = /\b(relation|table|view)\b.*\b(does not|doesn't) exist|\bno such (table|view)\b/i

/** Whether the service itself refused a statement: not because of the token, the load or the time. */
const isRefusal = (reply: Reply): boolean =>
  reply.envelope?.state === 'error' && !isGatewayReply(reply) && !isAboutLoad(reply.exchange)

/** Whether a request has no other headers than most: a service may refuse a media type. */
function isOrdinary({ client }: Target, { request }: Exchange): boolean {
  const { Authorization: _, ...headers } = request.headers
  return (
    JSON.stringify(headers) ===
    JSON.stringify({ ...client.options.headers, 'Content-Type': 'application/json' })
  )
}

const missingView = ({ views }: Documented, { message }: Reply): ViewName | undefined =>
  NO_VIEW.test(message) ? views.find((view) => message.toLowerCase().includes(view)) : undefined

/** The refusals of the run that did not come back. */
const refusedAtTimes = (t: Target): Promise<Refused[]> =>
  t.once('statements refused at times', async () => {
    const asked = t.client.answers.flatMap((exchange) => {
      const documented = isOrdinary(t, exchange) ? documentedIn(exchange) : undefined
      return documented ? [{ documented, reply: readReply(exchange) }] : []
    })
    const served = asked.filter(({ reply }) => reply.ok).map(({ documented }) => documented)
    const meanings = new Set(served.map(({ meaning }) => meaning))
    const isServed = new Map(served.map(({ sql }) => [sql, true]))
    let tried = 0
    const found: Refused[] = []
    for (const { documented, reply } of asked) {
      if (!isRefusal(reply)) continue
      const { sql, meaning } = documented
      const missing = missingView(documented, reply)
      const mayBeServed = missing !== undefined || meanings.has(meaning)
      if (mayBeServed && !isServed.has(sql) && tried++ < MOST_TRIED)
        isServed.set(sql, (await ifReadable(t.query(sql)))?.ok ?? false)
      if (isServed.get(sql)) found.push({ sql, reply, missing })
    }
    return found
  })

/** Repeats a statement, alone and behind an error, until it is refused at one moment and served at another. */
async function refusedAgain(t: Target, sql: string): Promise<Reply | undefined> {
  let refused: Reply | undefined
  let isServed = false
  for (let n = 0; n < ROUNDS * IN_ROUND && !(refused && isServed); n++) {
    if (n % IN_ROUND === 0) await ifReadable(t.query(UNKNOWN_FUNCTION))
    const reply = await ifReadable(t.query(sql))
    isServed ||= reply?.ok ?? false
    if (reply && isRefusal(reply)) refused = reply
  }
  return isServed ? refused : undefined
}

const countOf = (found: readonly Refused[]): string =>
  `${found.length} ${found.length === 1 ? 'statement was' : 'statements were'} refused that the target serves at other moments, such as \`${found[0]!.sql}\``

/** A known view that does not exist fails at once: no load explains it. */
async function existsEachTime(t: Target, view: ViewName): Promise<Finding> {
  const found = (await refusedAtTimes(t)).filter(({ missing }) => missing === view)
  if (found[0])
    return wrongReply(found[0].reply, `${view} does not exist at times: ${countOf(found)}`, 'rows')
  const shown = answersOf(t).filter(({ rows }) => rows.some((one) => one.view === view))
  return compared(shown.length, 'reply', `no statement over ${view} was refused because it does not exist`)
}

/** Another refusal fails if it comes again when nothing else is in flight: a service may restart in a run. */
async function executesEachTime(t: Target): Promise<Finding> {
  const found = (await refusedAtTimes(t)).filter(({ missing }) => missing === undefined)
  const again = found[0] && (await refusedAgain(t, found[0].sql))
  if (again) return wrongReply(again, `${countOf(found)}, and when it was repeated alone`, 'state "success"')
  const served = answersOf(t).filter(({ reply }) => reply.ok).length
  const notes =
    found.length > 0 ? { notes: [`${countOf(found)}. Repetitions alone did not show it again.`] } : {}
  return compared(
    served,
    'success',
    'no documented statement is refused at one moment and served at another',
    notes,
  )
}

/** Checks of errors for documented statements that are served at another moment of the run. */
export const eachTimeChecks: Check[] = [
  check({
    id: 'replies.each-time',
    requirement: 'REQ-HTTP-1',
    title: 'execute a documented statement each time',
    killedBy: ['statements-refused-at-times'],
    phase: 'broken',
    repeats: true,
    run: executesEachTime,
  }),
  ...contract.views.map((view) =>
    check({
      id: `replies.view-each-time:${view}`,
      requirement: `REQ-VIEW-EXISTS:${view}`,
      title: `find ${view} each time`,
      killedBy: ['views-unknown-at-times'],
      phase: 'broken',
      repeats: true,
      run: (t) => existsEachTime(t, view),
    }),
  ),
]
