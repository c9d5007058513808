import { contract } from '../../../schemas/contract.ts'
import { placeOf } from '../error-place.ts'
import { implement } from '../implement.ts'

const { jsonDecode, exception } = contract.messages

/**
 * The message for a syntax error.
 *
 * @param text the message of PostgreSQL's parser
 */
export const syntaxErrorText = implement<'errors.sql-syntax', (text: string, statement: string) => string>(
  'errors.sql-syntax',
  {
    'decode-error-database-text': (text) => `${jsonDecode}: ${text}`,
    'decode-error': () => jsonDecode,
    'database-text': (text) => text,
    'database-text-line': (text, statement) =>
      // each beginning is tried only where the end fits
      text + placeOf(statement, text.endsWith('"') ? /at or near "(.*)"/s.exec(text)?.[1] : undefined),
    generic: () => exception,
  },
)
