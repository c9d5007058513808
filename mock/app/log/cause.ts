import { SqlError } from '../../statement.ts'
import { indexOf, placeLines } from './place.ts'
import { redact, type StatementLog } from './statement-log.ts'

/** Causes of the requests that failed, for a caller in the same process. */
const causes = new WeakMap<object, string>()

/** Remembers why a request failed. */
export const setCause = (request: object, cause: string): void => void causes.set(request, cause)

/** Why a request failed; undefined where it did not. */
export const causeOf = (request: object): string | undefined => causes.get(request)

/** An error and its causes in one line: `SqlError: column "x" does not exist`. */
export function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const deeper = cause.cause === undefined ? '' : `; ${causeText(cause.cause)}`
  return `${cause.name}: ${cause.message}${deeper}`
}

/** Most characters of a message, and of a hint. */
const longest = 400

/** What the log says of a failure, without the secret. @param statement as it was sent; empty if it was not read */
export function failureOf(
  failure: unknown,
  statement: string,
  secret: string | undefined,
): Required<Pick<StatementLog, 'cause'>> & Pick<StatementLog, 'hint' | 'position'> {
  const text = redact(causeText(failure), secret, longest)
  if (!(failure instanceof SqlError)) return { cause: text }
  const { position } = failure
  const isPlaced = position > 0 && statement !== ''
  const index = indexOf(statement, position)
  const advice = isPlaced ? `${failure.hint} ${quotesHint(failure, statement.slice(index))}` : failure.hint
  const hint = redact(advice, secret, longest)
  const lines = isPlaced ? placeLines(statement, index, secret) : []
  if (hint !== '') lines.push(`HINT: ${hint}`)
  return {
    cause: [text, ...lines].join('\n'),
    ...(hint !== '' && { hint }),
    ...(isPlaced && { position }),
  }
}

/** SQLSTATE of a column that does not exist. */
const undefinedColumn = '42703'

/** The commonest slip of beginners: a text in double quotes is a name. @param rest of the statement from the place on */
function quotesHint({ sqlState }: SqlError, rest: string): string {
  const quoted = sqlState === undefinedColumn && /^"((?:[^"]|"")+)"(?!\s*\.)/.exec(rest.slice(0, 500))?.[1]
  return quoted ? `Texts have single quotes: '${quoted.replaceAll('""', '"').replaceAll("'", "''")}'.` : ''
}
