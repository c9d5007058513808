import type { Control } from './control.ts'
import { views } from '../../../schemas/index.ts'
import { errorReply, onStatement, reply, wrapper, type Mutant } from '../mutant.ts'

/** Refuses statements that would be served. */
const refusing = (pattern: RegExp): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const { status } = (await response.clone().json()) as { status?: { state?: string } }
    const isRefused = pattern.test(call.statement ?? '') && status?.state === 'success'
    return isRefused ? errorReply('Error executing statement') : response
  })

/** Columns in capitals, but not the words of SQL. */
const columnInCapitals = new RegExp(
  String.raw`\b(?:\w+\.)?(${views.flatMap(({ columns }) => columns.map(({ name }) => name.toUpperCase())).join('|')})\b`,
  'g',
)

/** Reads some columns as a value, in the SELECT list under their names. */
const asOther = (sql: string, column: RegExp, value: string): string => {
  if (sql.search(column) < 0) return sql
  const end = sql.search(/\bfrom\b/i)
  return `${sql.slice(0, end).replace(column, `${value} AS "$1"`)}${sql.slice(end).replace(column, value)}`
}

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
    does: 'A column that no row has, such as one in capitals, is null, as in a store without a schema.',
    wrap: wrapper(async (call, next) => {
      const sql = asOther(call.statement ?? '', columnInCapitals, 'NULL')
      if (call.statement && sql !== call.statement) return next({ ...call, statement: sql })
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
    id: 'double-quotes-of-texts',
    does: 'Double quotes are those of a text, as in some dialects.',
    wrap: onStatement((sql) => asOther(sql, /(?<![.\w])"(\w+)"/g, "'$1'").replaceAll(/\."/g, '.?"')),
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
  { id: 'limit-zero-refused', does: 'LIMIT 0 is refused.', wrap: refusing(/\blimit\s+0\b/i) },
  { id: 'no-tabs', does: 'A tab is refused.', wrap: refusing(/\t/) },
  { id: 'no-comments', does: 'Comments are refused.', wrap: refusing(/--|\/\*/) },
  {
    id: 'one-statement-prepared',
    does: 'A text is read up to the end of its first statement, as SQLite prepares it.',
    wrap: onStatement((sql) =>
      sql.replace(/^((?:'[^']*'|\/\*.*?\*\/|--[^\n]*|\/(?!\*)|-(?!-)|[^;'/-])*);.*$/s, '$1'),
    ),
  },
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
  {
    id: 'json-as-some-decoders-read-it',
    does: 'NaN is a number in the body, and text after its object is ignored.',
    wrap: wrapper((call, next) => {
      const read = call.body.replace(': NaN,', ': 0,').replace(/^(\{[^{}]*\})[^{}]+$/, '$1')
      if (read === call.body) return next(call)
      return next({ ...call, ...(JSON.parse(read) as { statement: string }) })
    }),
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
