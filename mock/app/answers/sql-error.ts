import { contract } from '../../../schemas/contract.ts'
import { insufficientPrivilege, publicMessage, type SqlError, StatementRefused } from '../../engine/engine.ts'
import { type Answer, errorEnvelope } from '../answer.ts'
import { type Settings, statusOf } from '../settings.ts'
import { placeOf } from './place.ts'
import { relationMessage } from './relation-message.ts'

/** The response to a statement that failed (docs/contract.md#outcomes-and-errors; decisions/0023, rulings 2 to 5). */
export function answerSqlError(error: SqlError, settings: Settings, statement: string): Answer {
  switch (error.kind) {
    case 'syntax':
      return errorEnvelope(200, syntaxMessage(error, settings, statement))
    case 'unknown-relation':
      return errorEnvelope(
        statusOf(settings['http.unknown-view']),
        relationMessage(error.relation ?? '', settings['errors.relation-text'], statement),
      )
    case 'empty':
      if (settings['sql.empty'] === 'error') return answerException(error, settings, true)
      return errorEnvelope(statusOf(settings['sql.empty']), error.message)
    case 'other':
      if (error.sqlState === insufficientPrivilege && error.relation !== undefined)
        return errorEnvelope(settings['auth.permission'] === '403' ? 403 : 200, error.message)
      return answerException(error, settings, error instanceof StatementRefused)
  }
}

/**
 * The answer to whatever else went wrong. Its cause stays in the log unless a variant tells it.
 *
 * @param isOutside whether it failed outside of the database
 */
export function answerException(cause: unknown, settings: Settings, isOutside: boolean): Answer {
  const kept = settings['errors.generic']
  const isKept = kept === 'never' || (kept === 'non-sql-only' && !isOutside)
  const message = isKept && cause instanceof Error ? cause.message : contract.messages.exception
  return errorEnvelope(statusOf(settings['http.exception']), message)
}

function syntaxMessage(error: SqlError, settings: Settings, statement: string): string {
  switch (settings['errors.sql-syntax']) {
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
