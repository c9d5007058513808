import { askIfPossible } from '../../answers/ask.ts'
import { isAboutLoad } from '../../connection/http/says-nothing.ts'
import { inParallel as atMost } from '../../connection/in-parallel.ts'
import { describeReply, type Reply } from '../../connection/http/reply.ts'
import { joinOfAll } from '../../samples/join.ts'
import { multiset, type Target } from '../../connection/target.ts'
import { check, compared, fail, observed, type Finding } from '../check.ts'

/** Rounds of the same statements; the second and third are sent only if the first shows a problem. */
const ROUNDS = 3
/** Longest reply of a statement, in bytes. */
const MOST_BYTES = 64 * 1024

/** Replies to different documented statements that other checks have sent, if they are short. */
async function statements(t: Target): Promise<Reply[]> {
  const replies: Reply[] = []
  const ask = (reading: () => Promise<Reply>) => askIfPossible(async () => replies.push(await reading()))
  await ask(() => t.baseline())
  for (const name of ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses'] as const)
    await ask(() => t.anyRow(name))
  await ask(async () => t.everythingSince('v_bioprocesses', await t.dateSpelling()))
  await ask(() => t.emptyDelta())
  await ask(async () => (await joinOfAll(t)).reply)
  return replies.filter(({ ok, exchange }) => ok && exchange.response!.bytes <= MOST_BYTES)
}

/** The replies to the same statements, `width` of them at once. A statement without a reply is left out. */
async function send(
  t: Target,
  asked: readonly Reply[],
  width: number,
): Promise<{ before: Reply; now: Reply }[]> {
  const replies: { before: Reply; now: Reply }[] = []
  await atMost(asked, width, (before) =>
    askIfPossible(async () => {
      replies.push({ before, now: await t.send(before.exchange.request.body) })
    }),
  )
  return replies
}

/** What is wrong with a reply, for another reason than load: a failure, or the rows of another statement. */
function problemOf(
  { before, now }: { before: Reply; now: Reply },
  all: readonly Reply[],
): string | undefined {
  if (!now.ok) {
    const isFailed = now.envelope?.state === 'error' || now.status >= 500
    return isFailed && !isAboutLoad(now.exchange) ? `got ${describeReply(now)}` : undefined
  }
  const rows = multiset(now.data)
  const isOther = rows !== multiset(before.data) && all.some(({ data }) => multiset(data) === rows)
  // Without an order, LIMIT 1 may return any row.
  return isOther && now.data.length > 1 ? 'got the rows of another statement' : undefined
}

async function inParallel(t: Target): Promise<Finding> {
  if (t.options.concurrency === 1) return observed('--concurrency 1 allows no statements at once')
  const asked = await statements(t)
  for (let round = 1; ; round++) {
    const replies = await send(t, asked, asked.length)
    const wrong = replies.find((one) => problemOf(one, asked))
    const served = replies.filter(({ now }) => now.ok).length
    if (!wrong && served < 2) return observed('fewer than two statements were served at once')
    if (!wrong)
      return compared(served, 'statement', `sent at once and served${round > 1 ? ', but not each time' : ''}`)
    const [problem, exchanges] = [problemOf(wrong, asked)!, [wrong.before.exchange, wrong.now.exchange]]
    const alone = await send(t, asked, 1)
    if (alone.length < asked.length || alone.some((one) => !one.now.ok || problemOf(one, asked)))
      return observed(`a statement ${problem}, also one after another: there may be a limit`, { exchanges })
    if (round === ROUNDS)
      return fail({
        message: `a statement ${problem} in each of ${ROUNDS} rounds of ${asked.length} at once, while all are served one after another`,
        expected: 'the same replies as to the statements alone',
        actual: problem,
        exchanges,
      })
  }
}

export const inParallelCheck = check({
  id: 'replies.in-parallel',
  requirement: 'REQ-HTTP-1',
  title: 'execute statements that are sent at once as it executes them alone',
  killedBy: ['parallel-refused', 'parallel-mixed-up'],
  phase: 'exclusive',
  run: inParallel,
})
