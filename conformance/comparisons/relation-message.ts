import { echoed } from '../connection/secrets.ts'

/** How a message about an unknown view compares with `relation "<view_name>" does not exist`. */
export type RelationMessage =
  | { as: 'exact' }
  | { as: 'variant'; note: string }
  | { as: 'wrong'; fault: string }

/** `ERROR: `, `(psycopg2.errors.UndefinedTable) `: the prefix of a database driver ends in : or ). */
const PREFIX = '(?<prefix>[^"]*[:)]\\s+)?'
const QUOTED = '(?<quote>\\\\?")(?<schema>\\w+(?:\\\\?"\\.\\\\?"|\\.))?(?<name>[^"\\\\.]*)\\k<quote>'
/** A further line, the place in the statement, the SQLSTATE, the statement itself, or a link for more. */
const SUFFIX =
  '(?<suffix>\\.?\\s*|\\s*\\n[^]*|\\s+(?:LINE \\d+:|at character \\d+|Position: \\d+|\\(SQLSTATE|\\[SQL:|\\(Background)[^]*)'
const MESSAGE = new RegExp(`^${PREFIX}relation ${QUOTED} does not exist${SUFFIX}$`)

/**
 * Compares a message with the contract's (Errors, row 1; its `\"` are read as JSON escaping). Text that database drivers
 * add around the sentence is a variant; other words are wrong.
 */
export function readRelationMessage(message: string, view: string): RelationMessage {
  if (message === `relation "${view}" does not exist`) return { as: 'exact' }
  const { prefix, quote, schema, name, suffix } = MESSAGE.exec(message)?.groups ?? {}
  if (name === undefined) {
    const named = message.includes(view)
    return { as: 'wrong', fault: named ? 'is worded otherwise' : 'does not name the view' }
  }
  if (name !== view) return { as: 'wrong', fault: 'names another view' }
  const extras = [
    prefix && `${echoed(JSON.stringify(prefix))} in front`,
    quote !== '"' && 'backslashes before the quotes',
    schema && 'a schema before the name',
    suffix && `${echoed(JSON.stringify(suffix))} behind`,
  ]
  return { as: 'variant', note: `The message has ${extras.filter(Boolean).join(', ')}.` }
}
