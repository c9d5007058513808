import { contract } from '../../schemas/generated/contract.ts'
import {
  EngineBusy,
  insufficientPrivilege,
  publicMessage,
  SqlError,
  StatementTimeout,
} from '../engine/engine.ts'
import { answerRefusedToken } from './auth/refused-token.ts'
import { TokenRefused } from './auth/token-refused.ts'
import { statusOf, type Behaviour } from './behaviour.ts'
import { answerWhole, errorEnvelope, type Answer } from './answer.ts'
import { Refusal } from './refusal.ts'

/**
 * The answer to a request that did not come to rows: the status and message of each error (Errors; rulings 2 to 5).
 * Whatever the server did not expect is `Error executing statement`, and its cause stays in the log.
 */
export function answerError(error: unknown, behaviour: Behaviour): Answer {
  if (error instanceof TokenRefused) return answerRefusedToken(error, behaviour)
  if (error instanceof Refusal) return errorEnvelope(error.status, error.message, error.headers)
  if (error instanceof StatementTimeout) return answerTimeout(error, behaviour)
  if (error instanceof EngineBusy) return errorEnvelope(503, error.message, { 'retry-after': '1' })
  if (error instanceof SqlError && error.kind === 'syntax')
    return errorEnvelope(200, syntaxMessage(error, behaviour))
  if (error instanceof SqlError && error.kind === 'unknown-relation') {
    return errorEnvelope(statusOf(behaviour['http.unknownView']), publicMessage(error))
  }
  if (error instanceof SqlError && error.sqlState === insufficientPrivilege && error.relation !== undefined)
    return errorEnvelope(behaviour['auth.permission'] === '403' ? 403 : 200, error.message)
  if (error instanceof SqlError && error.kind === 'empty' && behaviour['sql.empty'] !== 'error')
    return errorEnvelope(statusOf(behaviour['sql.empty']), error.message)
  return errorEnvelope(statusOf(behaviour['http.exception']), contract.messages.exception)
}

function syntaxMessage(error: SqlError, behaviour: Behaviour): string {
  switch (behaviour['err.sqlSyntax']) {
    case 'decode-error-database-text':
      return publicMessage(error)
    case 'decode-error':
      return contract.messages.jsonDecode
    case 'database-text':
      return error.message
    case 'generic':
      return contract.messages.exception
  }
}

function answerTimeout(error: StatementTimeout, behaviour: Behaviour): Answer {
  const status = contract.limits.timeoutStatus
  const title = '504 Gateway Time-out'
  switch (behaviour['timeout.body']) {
    case 'envelope':
      return errorEnvelope(status, error.message)
    case 'message':
      return answerWhole(status, JSON.stringify({ message: 'Endpoint request timed out' }))
    case 'html': {
      const page = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
      return answerWhole(status, page, { 'content-type': 'text/html' })
    }
    case 'empty':
      return answerWhole(status, '')
  }
}
