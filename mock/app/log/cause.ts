import { views } from '../../../schemas/views.ts'
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
  const advice = isPlaced ? `${failure.hint} ${nameHint(failure, statement, index)}` : failure.hint
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

/** The commonest slips of beginners: a text in double quotes is a name, and a key of a JSON column is no column. */
function nameHint({ sqlState }: SqlError, statement: string, place: number): string {
  if (sqlState !== undefinedColumn) return ''
  const rest = statement.slice(place, place + 500)
  const quoted = /^"((?:[^"]|"")+)"(?!\s*\.)/.exec(rest)?.[1]
  if (quoted) return `Texts have single quotes: '${quoted.replaceAll('""', '"').replaceAll("'", "''")}'.`
  const [, alias = '', key = ''] = /^(\w+\.)?(\w+)/.exec(rest) ?? []
  const named = views.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(statement))
  const column = named.flatMap(({ columns }) => columns).find(({ keys = {} }) => Object.hasOwn(keys, key))
  return column ? `${key} is a key of ${column.name}: ${alias}${column.name}->>'${key}'.` : ''
}
