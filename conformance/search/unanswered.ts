import type { Exchange } from '../connection/http/exchange.ts'
import { Stopped } from '../connection/http/limits.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { describeReply, type Reply } from '../connection/http/reply.ts'
import { documentedKind, type DocumentedKind } from './statements/classify.ts'
import { render } from './statements/render.ts'
import { questionOf, type Comparison, type Disagreement, type SideBySide } from './side-by-side.ts'
import type { Query } from './statements/syntax.ts'

/** Statements of one documented form, of which the target answered none. */
export interface Unanswered {
  kind: DocumentedKind
  /** The shortest of them. */
  query: Query
  count: number
  /** How the target replied. */
  why: string
  exchanges: Exchange[]
  /** Set if only the lack of a LIMIT can be the reason. */
  proof?: Disagreement
}

interface Compared {
  query: Query
  comparison: Comparison
}

/**
 * The documented forms that the target refused or did not serve every time, also when the shortest statement was repeated.
 *
 * @param comparisons by the index of their query
 */
export async function unansweredForms(
  both: SideBySide,
  queries: readonly Query[],
  comparisons: readonly (Comparison | undefined)[],
): Promise<Unanswered[]> {
  const forms = new Map<string, Compared[]>()
  for (const [index, query] of queries.entries()) {
    const [form, comparison] = [formOf(query), comparisons[index]]
    if (form === undefined || !comparison || (comparison.is === 'unclear' && comparison.isUnsent)) continue
    forms.set(form, [...(forms.get(form) ?? []), { query, comparison }])
  }
  const found: Unanswered[] = []
  for (const all of forms.values()) {
    if (!all.every(({ comparison }) => isUnanswered(comparison))) continue
    const one = await repeat(both, all)
    if (one) found.push(one)
  }
  return found
}

/**
 * Statements of one form differ in their views and columns only. The contract shows no LIMIT after WHERE and after JOIN, so those are
 * of no documented form.
 */
function formOf(query: Query): string | undefined {
  const kind = documentedKind(query)
  if (kind !== 'limit' && query.limit !== undefined) return undefined
  return `${kind} ${query.items.includes('*') ? 'all' : 'named'}`
}

type NoAnswer = Extract<Comparison, { is: 'refused' | 'unserved' }>

const isUnanswered = (comparison: Comparison): comparison is NoAnswer =>
  comparison.is === 'refused' || comparison.is === 'unserved'

/** Repeats the shortest statement between two that differ from it in their LIMIT only; undefined if it is answered. */
async function repeat(both: SideBySide, all: readonly Compared[]): Promise<Unanswered | undefined> {
  const [{ query, comparison }] = all.toSorted(
    (one, other) => render(one.query).length - render(other.query).length,
  ) as [Compared]
  let last = comparison as NoAnswer
  let proof: Disagreement | undefined
  try {
    const before = isSqlError(last) ? await control(both, query) : undefined
    const again = await both.judgeAgain(questionOf(query))
    if (!isUnanswered(again)) return undefined
    last = again
    const after = before && isSqlError(again) ? await control(both, query) : undefined
    if (after && again.is === 'refused') proof = refusedWithout(after, again.reply)
  } catch (error) {
    interruptionBy(error, render(query))
  }
  const { reply } = last
  return {
    kind: documentedKind(query),
    query,
    count: all.length,
    why: describeReply(reply),
    exchanges: [reply.exchange],
    ...(proof && { proof }),
  }
}

/** A reply with all rows of a query to the same query with a LIMIT above their number: no cap can be why it is refused. */
async function control(
  { target, source }: SideBySide,
  query: Query,
): Promise<{ sql: string; reply: Reply } | undefined> {
  if (query.limit !== undefined) return undefined
  const expected = await source.expected({ sql: render(query), query })
  if ('unknown' in expected) return undefined
  const limit = expected.rows.length + 1
  if (target.rows(limit) < limit) return undefined
  const sql = render({ ...query, limit })
  const reply = await target.query(sql, { isForgotten: true })
  return reply.ok && reply.data.length === expected.rows.length ? { sql, reply } : undefined
}

const isSqlError = (comparison: NoAnswer): boolean =>
  comparison.is === 'refused' && comparison.reply.envelope?.state === 'error'

const refusedWithout = ({ sql, reply }: { sql: string; reply: Reply }, refused: Reply): Disagreement => ({
  difference: {
    message: 'every statement of its form is refused, but it is served with a LIMIT above its number of rows',
    expected: `state "success", as for \`${sql}\``,
    actual: describeReply(refused),
  },
  exchanges: [reply.exchange, refused.exchange],
})

/** What ended a search before its last statement: a statement without an answer, or the end of the run. */
export interface Interruption {
  sql: string
  error: TransportError | Stopped
}

/** @throws the error itself, if it is another one */
export function interruptionBy(error: unknown, sql: string): Interruption {
  if (error instanceof TransportError || error instanceof Stopped) return { sql, error }
  throw error
}
