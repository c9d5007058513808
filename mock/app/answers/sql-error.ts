import { contract } from '../../../schemas/generated/contract.ts'
import { insufficientPrivilege, publicMessage, type SqlError, StatementRefused } from '../../engine/engine.ts'
import { type Answer, errorEnvelope } from '../answer.ts'
import { type Behaviour, statusOf } from '../behaviour.ts'
import { placeOf } from './place.ts'
import { relationMessage } from './relation-message.ts'

/** The answer to a statement that failed: the three rows of the contract's error table (Errors; rulings 2 to 5). */
export function answerSqlError(error: SqlError, behaviour: Behaviour, statement: string): Answer {
  switch (error.kind) {
    case 'syntax':
      return errorEnvelope(200, syntaxMessage(error, behaviour, statement))
    case 'unknown-relation':
      return errorEnvelope(
        statusOf(behaviour['http.unknownView']),
        relationMessage(error.relation ?? '', behaviour['err.relationText'], statement),
      )
    case 'empty':
      if (behaviour['sql.empty'] === 'error') return answerException(error, behaviour, true)
      return errorEnvelope(statusOf(behaviour['sql.empty']), error.message)
    case 'other':
      if (error.sqlState === insufficientPrivilege && error.relation !== undefined)
        return errorEnvelope(behaviour['auth.permission'] === '403' ? 403 : 200, error.message)
      return answerException(error, behaviour, error instanceof StatementRefused)
  }
}

/**
 * The answer to whatever else went wrong. Its cause stays in the log unless a variant tells it.
 *
 * @param isOutside whether it failed outside of the database
 */
export function answerException(cause: unknown, behaviour: Behaviour, isOutside: boolean): Answer {
  const kept = behaviour['err.generic']
  const isKept = kept === 'never' || (kept === 'non-sql-only' && !isOutside)
  const message = isKept && cause instanceof Error ? cause.message : contract.messages.exception
  return errorEnvelope(statusOf(behaviour['http.exception']), message)
}

function syntaxMessage(error: SqlError, behaviour: Behaviour, statement: string): string {
  switch (behaviour['err.sqlSyntax']) {
    case 'decode-error-database-text':
      return publicMessage(error)
    case 'decode-error':
      return contract.messages.jsonDecode
    case 'database-text':
      return error.message
    case 'database-text-line':
      return error.message + placeOf(statement, /at or near "(.*)"$/s.exec(error.message)?.[1])
    case 'generic':
      return contract.messages.exception
  }
}
