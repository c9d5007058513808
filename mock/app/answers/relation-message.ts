import type { Settings } from '../settings.ts'
import { placeOf } from './place.ts'

/** The bytes of a name that PostgreSQL reads; it drops the rest. */
const mostBytes = 63
const utf8 = new TextEncoder()

/**
 * The message for an unknown view (decisions/0023, ruling 3), with what drivers and databases put around it.
 *
 * @param relation name as the database knows it: cut to 63 bytes
 */
export function relationMessage(
  relation: string,
  text: Settings['errors.relation-text'],
  statement: string,
): string {
  const name = text === '63-bytes' ? relation : wholeName(relation, statement)
  const message = `relation "${name}" does not exist`
  switch (text) {
    case 'exact':
    case '63-bytes':
      return message
    case 'error-prefix':
      return `ERROR: ${message}`
    case 'driver-prefix':
      return `(psycopg2.errors.UndefinedTable) ${message}`
    case 'line-suffix':
      return message + placeOf(statement, name)
    case 'background-suffix':
      return `${message} (Background on this error at: https://sqlalche.me/e/20/f405)`
    case 'backslashes':
      return message.replaceAll('"', '\\"')
    case 'schema-qualified':
      return `relation "public.${name}" does not exist`
  }
}

/** The name as the statement has it, where the database has cut it: the contract knows no longest name. */
function wholeName(relation: string, statement: string): string {
  const bytes = utf8.encode(relation).length
  // a character that does not fit goes as a whole
  if (bytes > mostBytes || bytes <= mostBytes - 4) return relation
  const at = statement.toLowerCase().indexOf(relation.toLowerCase())
  const rest = at < 0 ? '' : (/^[\p{L}\p{N}_$]*/u.exec(statement.slice(at + relation.length))?.[0] ?? '')
  return relation + rest.toLowerCase()
}
