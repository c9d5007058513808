import { contract, view as viewOf, type ViewName } from '../../../schemas/index.ts'
import { answersOf, type Answer } from '../../answers/answers.ts'
import { askDocumentedForms, askIfPossible } from '../../answers/ask.ts'
import type { Target } from '../../connection/target.ts'
import { check, compared, wrongReply, type Finding } from '../check.ts'

/** The first answer with more rows than its LIMIT. */
function beyondLimit(t: Target): Finding | undefined {
  for (const { statement: { limit = Infinity } = {}, sql, reply } of answersOf(t))
    // sql.limit-zero judges LIMIT 0
    if (reply.ok && limit > 0 && reply.data.length > limit)
      return wrongReply(
        reply,
        `\`${sql}\` returns ${reply.data.length} rows`,
        `at most ${limit} ${limit === 1 ? 'row' : 'rows'}`,
      )
  return undefined
}

/** Sends statements of the documented forms, and a LIMIT below the number of rows of each view. */
async function ask(t: Target): Promise<void> {
  await askDocumentedForms(t)
  for (const name of contract.views) await askBelowSize(t, name)
}

async function keepsLimits(t: Target): Promise<Finding> {
  // Large answers may have ended the run, so that nothing can be asked.
  const early = beyondLimit(t)
  if (early) return early
  await ask(t)
  const late = beyondLimit(t)
  if (late) return late
  const proven = contract.views.flatMap((name) => limitsOf(t, name).proven)
  return compared(proven.length, 'reply', 'none has more rows than its LIMIT')
}

/** The largest number of rows that a view has shown, and the answers with as many rows as a smaller LIMIT, which prove something. */
function limitsOf(t: Target, name: ViewName): { size: number; proven: Answer[] } {
  const reads = answersOf(t).filter(
    ({ reply, statement }) => reply.ok && statement && [...statement.sources.values()][0] === name,
  )
  const sizes = reads.flatMap(({ reply, statement }) =>
    statement!.sources.size === 1 ? [reply.data.length] : [],
  )
  const size = Math.max(0, ...sizes)
  const proven = reads.filter(
    ({ reply, statement: { limit } = {} }) =>
      limit !== undefined && limit > 0 && limit < size && reply.data.length === limit,
  )
  return { size, proven }
}

/** Whether an answer is one over a single view without WHERE. */
const isPlain = ({ statement }: Answer): boolean => statement!.sources.size === 1 && !statement!.filtered

/** Reads a view with a LIMIT below its number of rows, unless another check has: a target may ignore LIMIT in some views. */
async function askBelowSize(t: Target, name: ViewName): Promise<void> {
  const { size, proven } = limitsOf(t, name)
  if (size < 2 || proven.some(isPlain)) return
  const { columns } = viewOf(name)
  await askIfPossible(() => t.shared(`SELECT ${columns[0]!.name} FROM ${name} LIMIT ${t.rows(size - 1)}`))
}

export const limitKeptCheck = check({
  id: 'sql.limit-kept',
  requirement: 'REQ-SQL-3',
  title: 'return at most as many rows as LIMIT says, in every answer',
  killedBy: [
    'limit-ignored',
    'limit-ignored-with-where',
    'limit-ignored-in-joins',
    'limit-ignored-in-one-view',
  ],
  phase: 'answers',
  ask,
  run: keepsLimits,
})
