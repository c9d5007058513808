/** The documented sentence, with what database drivers put around it: schema, backslashes, prefix, suffix (NS-29). */
const unknownView = /\brelation (\\?")(?<name>.+?)\1 does not exist/

/** The words of JSON parsers and databases for text they can not read (NS-27, NS-28). */
const syntax =
  /^\s*(?:JSON (?:decode|parse) error\b|invalid JSON\b|Unexpected token\b|Expect(?:ing|ed)\b)|\b(?:SQL )?syntax error\b|\bSQL syntax\b/i

/** A refused token reported as any other error (NS-21, NS-31, NS-32). */
const refusal =
  /^permission denied\b|\b(?:unauthori[sz]ed|unauthenticated|not authenticated)\b|\b(?:invalid|expired|missing|no|wrong) (?:access |bearer )?token\b|\btoken (?:is |has )?(?:not valid|invalid|expired|missing)\b/i

/**
 * The view that a message says does not exist (Errors, row 1), as the statement names it: without the schema
 * that some services put in front.
 */
export function unknownViewIn(message: string, statement: string): string | undefined {
  const printed = unknownView.exec(message)?.groups?.['name']?.replaceAll(/\\?"/g, '')
  if (printed === undefined || statement.includes(printed)) return printed
  return printed.slice(printed.lastIndexOf('.') + 1)
}

/** Whether a message reports a syntax error. "Error executing statement" for one can not be told from any other. */
export const reportsSyntax = (message: string): boolean => syntax.test(message)

/** Whether a message is about the access token. */
export const refusesAccess = (message: string): boolean => refusal.test(message)
