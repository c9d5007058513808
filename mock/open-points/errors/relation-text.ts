import { placeOf } from '../error-place.ts'
import { implement } from '../implement.ts'

/** How many bytes of a name PostgreSQL keeps. */
const keptBytes = 63
const utf8 = new TextEncoder()

/** The name in full, where the database has cut it. */
function wholeName(relation: string, statement: string): string {
  const bytes = utf8.encode(relation).length
  // a character of several bytes is cut off as a whole
  if (bytes > keptBytes || bytes <= keptBytes - 4) return relation
  const at = statement.toLowerCase().indexOf(relation.toLowerCase())
  const rest = at < 0 ? '' : (/^[\p{L}\p{N}_$]*/u.exec(statement.slice(at + relation.length))?.[0] ?? '')
  return relation + rest.toLowerCase()
}

type Message = (relation: string, statement: string) => string

const missing = (name: string) => `relation "${name}" does not exist`

const exact: Message = (relation, statement) => missing(wholeName(relation, statement))

/**
 * The message for an unknown view, with the text that drivers and databases put around it.
 *
 * @param relation the name as the database reports it, cut to 63 bytes
 */
export const relationText = implement<'errors.relation-text', Message>('errors.relation-text', {
  exact,
  '63-bytes': (relation) => missing(relation),
  'error-prefix': (...error) => `ERROR: ${exact(...error)}`,
  'driver-prefix': (...error) => `(psycopg2.errors.UndefinedTable) ${exact(...error)}`,
  'line-suffix': (relation, statement) =>
    exact(relation, statement) + placeOf(statement, wholeName(relation, statement)),
  'background-suffix': (...error) =>
    `${exact(...error)} (Background on this error at: https://sqlalche.me/e/20/f405)`,
  backslashes: (...error) => exact(...error).replaceAll('"', '\\"'),
  'schema-qualified': (relation, statement) => missing(`public.${wholeName(relation, statement)}`),
})
