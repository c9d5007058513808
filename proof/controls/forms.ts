import type { Control } from './control.ts'
import { errorReply, reply, wrapper, type Mutant } from '../mutant.ts'

/** Refuses statements that would be served. */
const refusing = (pattern: RegExp): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const { status } = (await response.clone().json()) as { status?: { state?: string } }
    const isRefused = pattern.test(call.statement ?? '') && status?.state === 'success'
    return isRefused ? errorReply('Error executing statement') : response
  })

/** Controls that accept only one of several forms of a documented statement. */
export const forms: Control[] = [
  {
    id: 'alias-needs-as',
    does: 'An alias is accepted only after AS.',
    wrap: refusing(/\b(from|join)\s+v_\w+\s+(?!(as|left|inner|join|on|where|limit|order|group|union)\b)\w/i),
  },
  {
    id: 'limit-refused-after-join',
    does: 'LIMIT is refused in a join, as the contract shows none there.',
    wrap: refusing(/\bjoin\b.*\blimit\b/is),
  },
  {
    id: 'limit-refused-after-where',
    does: 'LIMIT is refused after WHERE, as the contract shows none there.',
    wrap: refusing(/\bwhere\b.*\blimit\b/is),
  },
  {
    id: 'unknown-columns-null',
    does: 'A column that no row has is null, as in a store without a schema.',
    wrap: wrapper(async (call, next) => {
      const unknown = /^select (no_such_column) from v_\w+ limit 1$/i.exec(call.statement ?? '')?.[1]
      if (unknown === undefined) return next(call)
      return reply({ data: [{ [unknown]: null }], status: { state: 'success', message: 'One row.' } })
    }),
  },
  {
    id: 'documented-shapes-only',
    does: 'LIMIT is refused after WHERE and in a join, and so is all undocumented SQL.',
    wrap: refusing(
      /\b(where|join)\b.*\blimit\b|\b(order|group|union|with|count|distinct|inner|offset|null|min)\b|<=|;|\n/is,
    ),
  },
  {
    id: 'joins-by-relations-only',
    does: 'A join compares only columns with a documented relation.',
    hides: true,
    wrap: refusing(/\bon\s+\w+\.id\s*=\s*\w+\.id\b/i),
  },
  {
    id: 'joins-with-all-columns-only',
    does: 'A join returns all columns only.',
    hides: true,
    wrap: refusing(/^\s*select\s+(?!\*|t\.\*).*\bjoin\b/is),
  },
  { id: 'no-line-breaks', does: 'A statement is one line.', hides: true, wrap: refusing(/\n/) },
  { id: 'no-semicolon', does: 'A semicolon is refused.', wrap: refusing(/;/) },
  {
    id: 'keywords-in-capitals',
    does: 'Keywords in small letters are refused.',
    wrap: refusing(/\b(select|from|where|limit|left|join|on)\b/),
  },
  {
    id: 'maximum-of-runs-only',
    does: 'Only the newest update of v_bioprocesses can be a bound.',
    hides: true,
    wrap: refusing(/\(\s*select\s+\w+\(\w+\)\s+from\s+(?!v_bioprocesses\b)/i),
  },
  ...[500, 1000].map((most): Control => ({
    id: `limit-at-most-${most}`,
    does: `A LIMIT above ${most} is refused.`,
    hides: true,
    wrap: wrapper(async (call, next) => {
      const limit = Number(/\blimit\s+(\d+)/i.exec(call.statement ?? '')?.[1] ?? 0)
      return limit > most ? errorReply('Error executing statement') : next(call)
    }),
  })),
  {
    id: 'statements-of-300-characters',
    does: 'A longer statement is refused.',
    hides: true,
    wrap: wrapper(async (call, next) =>
      (call.statement?.length ?? 0) > 300 ? errorReply('Error executing statement') : next(call),
    ),
  },
]
