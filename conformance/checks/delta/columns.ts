import { contract, type ViewName } from '../../../schemas/index.ts'
import type { Target } from '../../connection/target.ts'
import { howMissing } from '../findings/how-missing.ts'
import { check, compared, notExercised, observed, wrongReply, type Check, type Finding } from '../check.ts'

const { column, views: deltaViews } = contract.delta

/** Checks one view for the column. A view that cannot be read is not exercised. */
async function offersColumn(t: Target, name: ViewName): Promise<Finding> {
  const { missing } = await t.columns(name)
  if (!missing.includes(column))
    return (await t.exists(name))
      ? compared(1, 'statement', `${name} offers ${column}`)
      : notExercised(`${name} cannot be read`)
  const reply = await t.shared(`SELECT ${column} FROM ${name} LIMIT 1`)
  return wrongReply(
    reply,
    `${name} ${await howMissing(t, name, [column])}, so its changes cannot be loaded`,
    'state "success", with or without rows',
  )
}

async function archivedRecords(t: Target): Promise<Finding> {
  const { rows, reply } = await t.selectAll('v_archived_records', `LIMIT ${t.rows(200)}`)
  if (rows.length === 0) return notExercised('v_archived_records has no rows')
  const there = rows.some((row) => column in row)
  return observed(`v_archived_records ${there ? 'has' : 'has no'} ${column}`, {
    exchanges: [reply.exchange],
  })
}

export const deltaColumnChecks: Check[] = [
  ...deltaViews.map((name) =>
    check({
      id: `delta.column:${name}`,
      requirement: 'REQ-DELTA-1',
      title: `offer last_updated_at in ${name}`,
      killedBy: ['delta-column-missing'],
      run: (t) => offersColumn(t, name),
    }),
  ),
  check({
    id: 'delta.archived-records',
    requirement: 'REQ-DELTA-3',
    title: 'offer last_updated_at in v_archived_records',
    killedBy: [],
    run: archivedRecords,
  }),
]
