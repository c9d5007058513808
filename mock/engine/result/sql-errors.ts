import { refused, SqlError } from '../../statement.ts'
import type { DatabaseError } from './wire.ts'

/** SQLSTATE of an allocation above the limit of the engine. */
const outOfMemory = '53200'

/** The files of PostgreSQL that read a text. Its analysis reports errors of syntax too, such as UNION of different columns. */
const grammar = /^(?:gram\.y|scan\.l|parser\.c)$/

/** What PostgreSQL says only where a statement may have parameters. */
const parameter =
  /^(?:bind message supplies 0 .* requires |could not determine data type of parameter \$)(\d+)$/

/** The error that the database reports of a text. */
export function sqlErrorOf(error: DatabaseError): SqlError {
  const { position, detail, hint } = error
  // without a place, the statement was running, and a detail may show values of rows
  const said = position > 0 ? [detail, hint] : [hint]
  return Object.assign(withKind(error), { position, hint: said.filter(Boolean).join(' ') })
}

function withKind({ message, sqlState, file, context }: DatabaseError): SqlError {
  if (sqlState === outOfMemory)
    return new SqlError(
      'other',
      'The statement needs too much memory. Let it read less data, or split it.',
      sqlState,
    )
  if (message.startsWith('memory exhausted')) return refused('The statement is nested too deeply.', '54001')
  // a value that is read as SQL, such as a regtype, may have an error of syntax too
  if (context === '' && grammar.test(file)) return new SqlError('syntax', message, sqlState)
  const unknown = parameter.exec(message)?.[1]
  if (unknown !== undefined) return new SqlError('other', `there is no parameter $${unknown}`, '42P02')
  const relation = sqlState === '42P01' ? /^relation "(.*)" does not exist$/s.exec(message)?.[1] : undefined
  if (relation !== undefined) return unknownRelation(relation)
  return new SqlError('other', message, sqlState)
}

/** @param name as PostgreSQL prints it */
export const unknownRelation = (name: string, sqlState = '42P01'): SqlError =>
  new SqlError('unknown-relation', `relation "${name}" does not exist`, sqlState, name)
