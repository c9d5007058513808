import type { Exchange } from '../connection/http/exchange.ts'
import { questionIn } from './answers.ts'
import { isView } from './statement.ts'

/** Keywords in another case, breaks, several blanks, a semicolon, AS and OUTER: the contract shows none, so they may be refused. */
const OTHER_SPELLING =
  /\s{2}|[\n\t\r;]|\b(AS|OUTER|as|outer|select|from|left|join|on|where|limit|max)\b|[A-Z][a-z]|[a-z][A-Z]/

/** A statement of the documented kinds. */
export type Documented = NonNullable<ReturnType<typeof documentedIn>>

/** The documented statement of a request, in the spelling of the contract or in any; undefined if it has none. */
export function documentedIn({ request }: Pick<Exchange, 'request'>, spelling: 'own' | 'any' = 'own') {
  const { sql, statement } = questionIn({ request })
  const [, bound] = /\(SELECT MAX\(last_updated_at\) FROM (\w+)\)/i.exec(sql ?? '') ?? []
  if (sql === undefined || !statement || (bound !== undefined && !isView(bound))) return undefined
  if (spelling === 'own' && OTHER_SPELLING.test(sql)) return undefined
  const { sources, items, on, filtered, limit } = statement
  const isJoin = sources.size > 1
  const isSimple = !isJoin && !filtered
  const isShown = isSimple || (limit === undefined && !(isJoin && (filtered || items)))
  const form = isJoin ? 6 : bound === undefined ? (filtered ? 4 : items ? 2 : 1) : 5
  return {
    sql,
    limit,
    isSimple,
    /** Those that it reads, that of a subquery included. */
    views: [...new Set([...sources.values(), ...(bound === undefined ? [] : [bound])])],
    /** The requirement of its form; undefined for what the contract does not show, such as LIMIT after WHERE. */
    form: isShown ? `REQ-SQL-${form}` : undefined,
    /** Equal for spellings of the same filter or join, whatever their LIMIT and their date. */
    meaning: JSON.stringify([[...sources], items, on, filtered, bound]),
  }
}
