import { contract } from '../../../schemas/index.ts'
import { answersOf, emptyAnswers } from '../../answers/answers.ts'
import { askDocumentedForms, askIfPossible } from '../../answers/ask.ts'
import { inAYear } from '../../connection/values/date-literal.ts'
import { showPlain } from '../../connection/values/json.ts'
import { joinedBy, joinSpelling } from '../../connection/samples/join.ts'
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
  const withRows = new Map(
    answersOf(t).flatMap(({ reply }) =>
      reply.ok && reply.data.length > 0 ? [[reply.message, reply] as const] : [],
    ),
  )
  const empty = emptyAnswers(t)
  const wrong = empty.find(({ reply }) => withRows.has(reply.message))
  if (!wrong)
    return compared(empty.length, 'reply', 'every message without rows differs from those with rows')
  return fail({
    message: `\`${wrong.sql}\` returns no rows, with the message of a statement that returns rows`,
    expected: 'a different message without rows',
    actual: showPlain(wrong.reply.message),
    exchanges: [withRows.get(wrong.reply.message)!.exchange, wrong.reply.exchange],
  })
}

export const emptyMessagesCheck = check({
  id: 'sql.empty-messages',
  requirement: 'REQ-SQL-8',
  title: 'send another message without rows than with rows, in every answer',
  killedBy: ['empty-same-message', 'empty-same-message-in-joins'],
  phase: 'answers',
  ask,
  run: emptyMessages,
})
