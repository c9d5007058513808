/** The documented message, with additions of database drivers: schema, backslashes, prefix, suffix (errors.relation-text). */
const unknownView = /\brelation (\\?")(?<name>.+?)\1 does not exist/

/** Syntax errors in the words of JSON parsers and databases (errors.json-text, errors.sql-syntax). */
const syntax =
  /^\s*(?:JSON (?:decode|parse) error\b|invalid JSON\b|Unexpected token\b|Expect(?:ing|ed)\b)|\b(?:SQL )?syntax error\b|\bSQL syntax\b/i

/** A rejected token, reported like any other error (auth.permission, auth.missing, auth.invalid). */
const refusal =
  /^permission denied\b|\b(?:unauthori[sz]ed|unauthenticated|not authenticated)\b|\b(?:invalid|expired|missing|no|wrong) (?:access |bearer )?token\b|\btoken (?:is |has )?(?:not valid|invalid|expired|missing)\b/i

/**
 * The unknown view that a message names; undefined if it names none. Without the schema that some services add, unless the
 * statement has it.
 */
export function unknownViewIn(message: string, statement: string): string | undefined {
  const printed = unknownView.exec(message)?.groups?.['name']?.replaceAll(/\\?"/g, '')
  if (printed === undefined || statement.includes(printed)) return printed
  return printed.slice(printed.lastIndexOf('.') + 1)
}

/** Whether a message reports a syntax error. The generic "Error executing statement" does not. */
export const reportsSyntax = (message: string): boolean => syntax.test(message)

/** Whether a message rejects the access token. */
export const refusesAccess = (message: string): boolean => refusal.test(message)
