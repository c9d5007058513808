import { contract } from '../../schemas/index.ts'
import { onEnvelope, statementIn, wrapper, type Mutant } from './mutant.ts'

/** The order in which a target reads rows: as they were inserted, or along an index on last_updated_at. */
export type ReadOrder = 'insertion' | 'oldest' | 'newest' | 'oldest-in-deltas' | 'newest-in-deltas'

/** A limit on the size of a response, which the contract leaves open (rows.max). */
export interface Cap {
  rows?: number
  /** Bytes of the rows as JSON. A response always has at least one row. */
  bytes?: number
  order: ReadOrder
  /** Whether the cap concerns only statements without LIMIT, as a default LIMIT does. */
  withoutLimit?: boolean
}

/** A target that ends every response at a cap, without notice. */
export const capped =
  ({ rows = Infinity, bytes = Infinity, order, withoutLimit = false }: Cap): Mutant['wrap'] =>
  (fetch) => {
    const all = inOrder(order)(fetch)
    const some = onEnvelope((envelope) => ({ ...envelope, data: within(envelope.data, rows, bytes) }))(all)
    return (input, init) =>
      withoutLimit && /\blimit\s+\d/i.test(statementIn(String(init?.body)) ?? '')
        ? all(input, init)
        : some(input, init)
  }

function within<T>(data: readonly T[], rows: number, bytes: number): T[] {
  let left = bytes
  return data.slice(0, rows).filter((row, index) => {
    left -= JSON.stringify(row).length + 1
    return left >= 0 || index === 0
  })
}

/** A SELECT of columns from one view or a join of two, its WHERE and its LIMIT. */
const SELECT =
  /^(\s*select\s+[\w\s.,*]+?\s+from\s+(v_\w+)(?:\s+(?!left|where|limit)(\w+))?)((?:\s+left\s+join\s.*?)?)(\s+where\s.*?)?(\s+limit\s+\d+)?\s*$/is

/** Reads the rows of statements on views with last_updated_at in another order. */
function inOrder(order: ReadOrder): Mutant['wrap'] {
  const direction = order.startsWith('newest') ? 'DESC' : 'ASC'
  return wrapper(async (call, next) => {
    const [, head, view, alias, join, where, limit] = SELECT.exec(call.statement ?? '') ?? []
    const isDated = (contract.delta.views as readonly string[]).includes(view ?? '')
    if (order === 'insertion' || !isDated || (order.endsWith('deltas') && !where)) return next(call)
    const by = ` ORDER BY ${alias ?? view}.${contract.delta.column} ${direction}`
    const statement = [head, join, where, by, limit].join('')
    const response = await next({ ...call, statement })
    const { status } = (await response.clone().json()) as { status?: { state?: string } }
    return status?.state === 'success' ? response : next(call)
  })
}
