import { refused, SqlError } from '../../statement.ts'
import type { DatabaseError } from './wire.ts'

/** SQLSTATE of an allocation above the limit of the engine. */
const outOfMemory = '53200'

/** The files of PostgreSQL that read a text. Its analysis reports errors of syntax too, such as UNION of different columns. */
const grammar = /^(?:gram\.y|scan\.l|parser\.c)$/

/**
 * The error that the database reports of a statement.
 *
 * @param isParsed whether the database has read the statement: a value that it reads as SQL, such as a regtype, may have an error of syntax
 */
export function sqlErrorOf({ message, sqlState, file }: DatabaseError, isParsed: boolean): SqlError {
  if (sqlState === outOfMemory)
    return new SqlError(
      'other',
      'The statement needs too much memory. Let it read less data, or split it.',
      sqlState,
    )
  if (message.startsWith('memory exhausted')) return refused('The statement is nested too deeply.', '54001')
  if (!isParsed && grammar.test(file)) return new SqlError('syntax', message, sqlState)
  const relation = sqlState === '42P01' ? /^relation "(.*)" does not exist$/s.exec(message)?.[1] : undefined
  return relation === undefined ? new SqlError('other', message, sqlState) : unknownRelation(relation)
}

/** @param name as PostgreSQL prints it */
export const unknownRelation = (name: string, sqlState = '42P01'): SqlError =>
  new SqlError('unknown-relation', `relation "${name}" does not exist`, sqlState, name)
