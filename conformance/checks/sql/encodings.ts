import { readRelationMessage } from '../../comparisons/relation-message.ts'
import { describeReply, type Reply } from '../../connection/http/reply.ts'
import { encodings, ofNames, type Encoding } from '../../connection/requests/encodings.ts'
import { isGatewayReply } from '../../connection/http/says-nothing.ts'
import { requireControl } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, fail, notExercised, observed, type Check, type Finding } from '../check.ts'

/** The reply to a delta with a row, and to one without: the numbers of rows show whether a filter is lost, or keeps all back. */
const deltas = async (t: Target): Promise<Reply[]> => [
  await t.everythingSince('v_bioprocesses', await t.dateSpelling()),
  await t.emptyDelta(),
]

/** Fails if an encoding of a statement is refused, or has another number of rows, twice, and the plain one is served in between. */
async function encoded(t: Target, of: keyof typeof encodings, plains: readonly Reply[]): Promise<Finding> {
  const { whole, parts }: Record<'whole' | 'parts', readonly Encoding[]> = encodings[of]
  let same = 0
  for (const plain of plains) {
    const { statement: sql } = JSON.parse(plain.exchange.request.body) as { statement: string }
    const isOther = (reply: Reply) =>
      plain.ok ? !reply.ok || reply.data.length !== plain.data.length : reply.ok
    const wrong = async ([name, body]: Encoding) => {
      const reply = await t.send(body(sql))
      if (plain.ok && reply.ok && !isOther(reply)) same++
      // A gateway says nothing about how the service reads a body.
      return isOther(reply) && !isGatewayReply(reply) ? { name, reply } : undefined
    }
    for (const encoding of whole) {
      if (isGatewayReply(plain) || !(await wrong(encoding))) continue
      const isSteady = !isOther(await t.query(sql))
      let found = isSteady ? await wrong(encoding) : undefined
      if (!found) continue
      for (const part of parts) {
        const alone = await wrong(part)
        if (!alone) continue
        found = alone
        break
      }
      return fail({
        message: `\`${sql}\` gets another reply with ${found.name}, which every JSON decoder has to read alike`,
        expected: describeReply(plain),
        actual: describeReply(found.reply),
        exchanges: [plain.exchange, found.reply.exchange],
      })
    }
  }
  if (same > 0) return compared(same, 'reply', 'as many rows as for the plain body')
  const refused = plains.find(({ ok }) => !ok)
  return refused
    ? notExercised(`the statement got ${describeReply(refused)} in its plain encoding`)
    : observed('no other encoding got a reply of the service')
}

/** Identifiers with characters beyond ASCII, first in quotes, which some dialects do not have. */
const named = ['/ø😀', 'ø'] as const

/** An unknown view shows how its name was decoded. Fails only if the name is right in one of two encodings. */
async function namesDecoded(t: Target): Promise<Finding> {
  await requireControl(t)
  for (const end of named) {
    const view = t.unknownView + end
    const sql = `SELECT id FROM ${end === 'ø' ? view : `"${view}"`} LIMIT 1`
    const isRight = (reply: Reply) => !reply.ok && readRelationMessage(reply.message, view).as !== 'wrong'
    const replies: [how: string, reply: Reply][] = []
    for (const [how, body] of ofNames) {
      const reply = await t.send(body(sql))
      // A reply that goes wrong for another reason is right the second time.
      replies.push([how, isRight(reply) ? reply : await t.send(body(sql))])
    }
    const right = replies.find(([, reply]) => isRight(reply))
    const wrong = replies.find(([, reply]) => !isRight(reply))
    if (!right || (wrong && isGatewayReply(wrong[1]))) continue
    if (!wrong) return compared(replies.length, 'reply', `names ${view} as it was sent`)
    return fail({
      message: `the name ${view} is read when it is sent ${right[0]}, and not when it is sent ${wrong[0]}`,
      expected: describeReply(right[1]),
      actual: describeReply(wrong[1]),
      exchanges: [right[1].exchange, wrong[1].exchange],
    })
  }
  return observed('no message names an unknown view with characters beyond ASCII')
}

/** Checks of the encodings of a body. */
export const encodingChecks: Check[] = [
  check({
    id: 'sql.quotes',
    requirement: 'REQ-SQL-9',
    title: 'accept both JSON encodings of quotes in a statement',
    killedBy: [
      'quotes-escaped-refused',
      'quotes-plain-refused',
      'quotes-escaped-lose-filter',
      'quotes-escaped-end-statement',
    ],
    run: async (t) => encoded(t, 'quotes', await deltas(t)),
  }),
  check({
    id: 'sql.encoding:statement',
    requirement: 'REQ-SQL-9',
    title: 'read every JSON encoding of a statement like the plain one',
    killedBy: ['escapes-in-small-digits-lost', 'escapes-of-symbols-lost'],
    run: async (t) => encoded(t, 'statement', [await t.emptyDelta()]),
  }),
  check({
    id: 'sql.encoding:body',
    requirement: 'REQ-HTTP-1',
    title: 'read every JSON encoding of a body like the plain one',
    killedBy: ['key-escaped-refused', 'space-in-body-refused'],
    run: async (t) => encoded(t, 'body', [await t.baseline()]),
  }),
  check({
    id: 'sql.encoding:names',
    requirement: 'REQ-SQL-9',
    title: 'read a name in UTF-8 and with escapes',
    killedBy: ['body-as-latin-1', 'surrogates-lost'],
    run: namesDecoded,
  }),
]
