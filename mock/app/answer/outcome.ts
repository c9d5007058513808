import { refusedTokenBody } from '../../open-points/auth/body.ts'
import { expiredTokenAnswer } from '../../open-points/auth/expired.ts'
import { invalidTokenAnswer } from '../../open-points/auth/invalid.ts'
import { missingTokenAnswer } from '../../open-points/auth/missing.ts'
import { type Answer, answerBody, answerWhole, errorEnvelope } from './answer.ts'
import { type Settings, UnknownVariant } from '../../open-points/settings.ts'
import { TokenRefused } from './token-refused.ts'
import { contract } from '../../../schemas/contract.ts'
import { permission } from '../../open-points/auth/permission.ts'
import { tellsCause } from '../../open-points/errors/generic.ts'
import { relationText } from '../../open-points/errors/relation-text.ts'
import { syntaxErrorText } from '../../open-points/errors/sql-syntax.ts'
import { exceptionStatus } from '../../open-points/http/exception.ts'
import { unknownViewStatus } from '../../open-points/http/unknown-view.ts'
import { emptyText } from '../../open-points/sql/empty.ts'
import { timeoutBody } from '../../open-points/timeout/body.ts'
import { timeoutMode } from '../../open-points/timeout/mode.ts'
import {
  EngineBusy,
  insufficientPrivilege,
  SqlError,
  StatementRefused,
  StatementTimeout,
} from '../../statement.ts'
import { ConnectionReset, Refusal, reset } from './refusal.ts'

/**
 * The answer to a request without rows: the status and message of each error (docs/decisions/0023, rulings 2 to 5).
 * The message for an unexpected error is
 * `Error executing statement`; its cause stays in the log.
 *
 * @param statement as it was sent; empty if it was not read
 */
export function answerError(error: unknown, settings: Settings, statement = ''): Answer {
  if (error instanceof TokenRefused) return answerRefusedToken(error, settings)
  if (error instanceof Refusal) return answerRefusal(error)
  if (error instanceof UnknownVariant) return errorEnvelope(400, error.message)
  if (error instanceof StatementTimeout) return answerTimeout(error, settings)
  if (error instanceof EngineBusy) return errorEnvelope(503, error.message, { 'retry-after': '1' })
  if (error instanceof SqlError) return answerSqlError(error, settings, statement)
  if (error instanceof ConnectionReset) return reset
  return answerException(error, settings, true)
}

const answerRefusal = ({ status, message, headers, body }: Refusal): Answer =>
  body === undefined
    ? errorEnvelope(status, message, headers)
    : answerWhole(status, JSON.stringify(body), headers)

function answerTimeout({ message }: StatementTimeout, settings: Settings): Answer {
  if (timeoutMode(settings).resets) return reset
  const { timeoutStatus } = contract.limits
  const body = timeoutBody(settings)
  return body ? answerBody(timeoutStatus, body(message)) : errorEnvelope(timeoutStatus, message)
}

/** The three rows of the contract's error table, and a text without a statement. */
function answerSqlError(error: SqlError, settings: Settings, statement: string): Answer {
  const { kind, message, relation = '' } = error
  switch (kind) {
    case 'syntax':
      return errorEnvelope(200, syntaxErrorText(settings)(message, statement))
    case 'unknown-relation':
      return errorEnvelope(unknownViewStatus(settings), relationText(settings)(relation, statement))
    case 'empty': {
      const { status } = emptyText(settings)
      return status === undefined ? answerException(error, settings, true) : errorEnvelope(status, message)
    }
    case 'other': {
      const { deniedStatus = 200 } = permission(settings)
      const isDenied = error.sqlState === insufficientPrivilege && error.relation !== undefined
      return isDenied
        ? errorEnvelope(deniedStatus, message)
        : answerException(error, settings, error instanceof StatementRefused)
    }
  }
}

/** @param isOutside whether the statement failed outside of the database */
function answerException(cause: unknown, settings: Settings, isOutside: boolean): Answer {
  const showsCause = tellsCause(settings)(isOutside) && cause instanceof Error
  return errorEnvelope(exceptionStatus(settings), showsCause ? cause.message : contract.messages.exception)
}

const answers = { missing: missingTokenAnswer, invalid: invalidTokenAnswer, expired: expiredTokenAnswer }

/** The answer to a refused token: a setting chooses its status, `auth.body` its body. */
function answerRefusedToken(error: TokenRefused, settings: Settings): Answer {
  const { message, reason } = error
  const { status, challenges, location, isEnvelope } = answers[reason](settings)
  const headers = {
    ...(challenges && error.headers),
    ...(location !== undefined && { location }),
  }
  const body = refusedTokenBody(settings)
  if (isEnvelope || !body) return errorEnvelope(status, message, headers)
  return answerBody(
    status,
    body({ status, title: titles[status]!, code: `${reason}_token`, message }),
    headers,
  )
}

const titles: Readonly<Record<number, string>> = {
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  419: 'Authentication Timeout',
}
