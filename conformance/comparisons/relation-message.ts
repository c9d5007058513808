import { echoed } from '../connection/redaction/secrets.ts'

/** A comparison of a message about an unknown view with `relation "<view_name>" does not exist`. */
export type RelationMessage =
  | { as: 'exact' }
  | { as: 'variant'; note: string }
  | { as: 'wrong'; problem: string }

/** The prefix of a database driver ends in : or ), as in `ERROR: ` or `(psycopg2.errors.UndefinedTable) `. */
const PREFIX = '(?<prefix>[^"]*[:)]\\s+)?'
const QUOTED = '(?<quote>\\\\?")(?<schema>\\w+(?:\\\\?"\\.\\\\?"|\\.))?(?<name>[^"\\\\.]*)\\k<quote>'
/** Another line, the position in the statement, the SQLSTATE, the statement itself, or a link. */
const SUFFIX =
  '(?<suffix>\\.?\\s*|\\s*\\n[^]*|\\s+(?:LINE \\d+:|at character \\d+|Position: \\d+|\\(SQLSTATE|\\[SQL:|\\(Background)[^]*)'
const MESSAGE = new RegExp(`^${PREFIX}relation ${QUOTED} does not exist${SUFFIX}$`)

/**
 * Compares a message with that of the contract (Errors, row 1). The contract prints `\"`: both readings, escaping and
 * literal backslashes, are exact. A message with additional text of a database driver is a variant; a message with other
 * words is wrong.
 */
export function readRelationMessage(message: string, view: string): RelationMessage {
  const { prefix, schema, name, suffix } = MESSAGE.exec(message)?.groups ?? {}
  if (name === undefined) {
    if (!message.includes(view)) return { as: 'wrong', problem: 'does not name the view' }
    const quoted = message.replace(new RegExp(`(['\`“‘«]?)${view}['\`”’»]?`), `"${view}"`)
    if (!MESSAGE.test(quoted)) return { as: 'wrong', problem: 'has other words' }
    const bare = message.includes(`relation ${view}`)
    return {
      as: 'wrong',
      problem: bare ? 'has no quotes around the name' : 'has other quotes around the name',
    }
  }
  // An identifier without quotes has no case in SQL: some engines fold it to upper case.
  if (name.toLowerCase() !== view.toLowerCase()) return { as: 'wrong', problem: 'names another view' }
  const extras = [
    name !== view && 'the name in another letter case',
    prefix && `${echoed(JSON.stringify(prefix))} before the sentence`,
    schema && 'a schema before the name',
    suffix && `${echoed(JSON.stringify(suffix))} after the sentence`,
  ].filter(Boolean)
  return extras.length === 0
    ? { as: 'exact' }
    : { as: 'variant', note: `The message has ${extras.join(', ')}.` }
}
