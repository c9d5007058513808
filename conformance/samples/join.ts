import type { Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'

/** How the statement of a join is written, where the contract shows none or only one form. */
export interface JoinSpelling {
  /** Between a view and its alias. */
  as: ' ' | ' AS '
  /** Whether the target accepts LIMIT after a join. The documented join has none. */
  limit: boolean
}

const spellings: readonly JoinSpelling[] = [
  { as: ' ', limit: true },
  { as: ' AS ', limit: true },
  { as: ' ', limit: false },
  { as: ' AS ', limit: false },
]

/** The documented join without its SELECT list. */
export const joinedBy = ({ as }: Pick<JoinSpelling, 'as'>): string =>
  `FROM v_timeseries${as}t LEFT JOIN v_bioprocesses${as}b ON t.bioprocess_id = b.id`

/**
 * The reply to the join with all columns of both views, in the first spelling that the target accepts; in the simplest if
 * it accepts none. Tries `*` and `t.*, b.*`, because the contract shows neither.
 */
export async function joinOfAll(
  t: Target,
): Promise<{ list: string; spelling: JoinSpelling; sql: string; reply: Reply }> {
  // Without LIMIT, the response has as many rows as v_timeseries.
  const allowed = spellings.filter(({ limit }) => limit || t.options.maxRows === undefined)
  const attempts = allowed.flatMap((spelling) => ['*', 't.*, b.*'].map((list) => ({ list, spelling })))
  const ask = async ({ list, spelling }: (typeof attempts)[number]) => {
    const sql = `SELECT ${list} ${joinedBy(spelling)}${spelling.limit ? ' LIMIT 5' : ''}`
    return { list, spelling, sql, reply: await t.shared(sql) }
  }
  const first = await ask(attempts[0]!)
  let last = first
  for (const attempt of attempts.slice(1)) {
    if (last.reply.ok) break
    last = await ask(attempt)
  }
  return last.reply.ok ? last : first
}

/** The spelling of joins that the target accepts. */
export const joinSpelling = async (t: Target): Promise<JoinSpelling> => (await joinOfAll(t)).spelling
