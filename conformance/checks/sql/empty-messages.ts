import { contract } from '../../../schemas/index.ts'
import { answersOf, emptyAnswers, type Answer } from '../../answers/answers.ts'
import { askDocumentedForms, askIfPossible } from '../../answers/ask.ts'
import { inAYear } from '../../connection/values/date-literal.ts'
import { showPlain } from '../../connection/values/json.ts'
import { joinedBy, joinSpelling } from '../../samples/join.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, fail, type Finding } from '../check.ts'

/** Sends statements with rows, and an empty delta and an empty join. */
async function ask(t: Target): Promise<void> {
  await askDocumentedForms(t)
  await askIfPossible(() => t.emptyDelta())
  await askIfPossible(async () => {
    const bound = await t.dateLiteral(inAYear())
    await t.shared(
      `SELECT t.id, b.name ${joinedBy(await joinSpelling(t))} WHERE t.${contract.delta.column} > ${bound}`,
    )
  })
}

/** Compares the messages of replies with and without rows. */
async function emptyMessages(t: Target): Promise<Finding> {
  await ask(t)
  const full = answersOf(t).filter(({ sql, reply }) => sql !== undefined && reply.ok && reply.data.length > 0)
  const empty = emptyAnswers(t)
  const withRows = new Map(full.map((answer) => [answer.reply.message, answer]))
  for (const one of empty) {
    const { message } = one.reply
    const other = withRows.get(message)
    if (!other) continue
    // The message belongs to the answers of which more have it.
    const isOfEmpty = shareOf(message, empty) > shareOf(message, full)
    const [wrong, right] = isOfEmpty ? [other, one] : [one, other]
    return fail({
      message: isOfEmpty
        ? `\`${wrong.sql}\` returns rows, with the message of a statement that returns none`
        : `\`${wrong.sql}\` returns no rows, with the message of a statement that returns rows`,
      expected: `a different message ${isOfEmpty ? 'with' : 'without'} rows`,
      actual: showPlain(message),
      exchanges: [right.reply.exchange, wrong.reply.exchange],
    })
  }
  return compared(empty.length, 'reply', 'every message without rows differs from those with rows')
}

const shareOf = (message: string, answers: readonly Answer[]): number =>
  answers.filter(({ reply }) => reply.message === message).length / answers.length

export const emptyMessagesCheck = check({
  id: 'sql.empty-messages',
  requirement: 'REQ-SQL-8',
  title: 'send another message without rows than with rows, in every answer',
  killedBy: ['empty-same-message', 'empty-same-message-in-joins'],
  phase: 'answers',
  ask,
  run: emptyMessages,
})
