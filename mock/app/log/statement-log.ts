import { printableLine } from '../../../base/text/printable.ts'

/** One request of the statement endpoint and its outcome. */
export interface StatementLog {
  /** HTTP status of the answer; 0 if the connection was reset before. */
  readonly status: number
  /** `broken`: the statement failed or the client left after the first rows. */
  readonly state: 'success' | 'error' | 'broken'
  /** Milliseconds from the request's arrival to the last byte. */
  readonly durationMs: number
  /** Bytes of the body, for a statement with rows. */
  readonly bytes?: number
  /** The statement in one line, shortened, without the request's token; absent if it was not read. */
  readonly statement?: string
  /** The same as it was sent, without the request's token, if `statement` differs from it; at most 8000 characters of it. */
  readonly text?: string
  /** The settings that are not the default ones: `rows.shape=array, http.success=201`. */
  readonly variants?: string
  /** The check of the suite that sent it, as its header says. */
  readonly check?: string
  /**
   * Why the request failed, which `Error executing statement` hides: a line with the text of the database, then, where it says
   * more, two lines that show the place of the error in the statement, and its hint.
   */
  readonly cause?: string
  /** What PostgreSQL advises, in sentences. */
  readonly hint?: string
  /** The place of the error in the statement, in characters from 1. */
  readonly position?: number
  /** Its method, path and media type, and whether a token came: `POST /v1/statements/ text/plain without a token`. */
  readonly request?: string
  /** The User-Agent; `console` for a statement that was asked in the page. Lines of the log have none of the following. */
  readonly client?: string
  /** The body of a request whose statement was not read, without the token; at most 8000 characters of it. */
  readonly sent?: string
  /** What came back, as HTTP writes it; at most 8000 characters of it, and no body that is streamed. */
  readonly got?: string
}

/** A request of the statement endpoint, with its session. */
export interface LoggedStatement extends StatementLog {
  /** Absent for the common session. */
  readonly session?: string
}

/** The id of a check, as the header `X-Conformance-Check` has it; undefined for any other text. */
export const checkIn = (header: string | null): string | undefined =>
  header !== null && /^[\w.:-]{1,100}$/.test(header) ? header : undefined

const longest = 200
const longestText = 8000
/** The characters of a text that are searched for the secret; headers, and thus tokens, are shorter by far. */
const longestSearched = 100_000

/** What a line of a log begins with that belongs to the one before. */
export const indentation = '\n    '

/** A text that is fit for a log as it is; most statements are. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/

/** The line of a request, `200 success 12 ms 345 B SELECT * FROM v_formulas`, and below it, indented, those about its error. */
export function formatStatementLog(log: StatementLog): string {
  const { first, more, statement } = partsOf(log)
  const size = log.bytes === undefined ? undefined : `${log.bytes} B`
  const cause = first === undefined ? undefined : `(${first})`
  const parts = [log.status, log.state, `${Math.round(log.durationMs)} ms`, size, statement, cause]
  return indented([parts.filter((part) => part !== undefined).join(' '), ...more])
}

/** Why a statement failed, and which one, for the output of a test. */
export function formatFailure(log: StatementLog): string {
  const { first = '', more, statement } = partsOf(log)
  return indented([first, ...more, ...(statement ? [`STATEMENT: ${statement}`] : [])])
}

/** The lines of a cause, and the statement unless the line of its place shows all of it. */
function partsOf({ statement, cause }: StatementLog) {
  const [first, ...more] = cause?.split('\n') ?? []
  const isShown = statement !== undefined && more[0]?.includes(statement)
  return { first, more, statement: isShown ? undefined : statement }
}

const indented = (lines: readonly string[]): string => lines.map(printableLine).join(indentation)

/**
 * Makes a text fit for a log: one line, shortened, without the secret. A secret of six characters or more is replaced
 * wherever it stands. A shorter one (`x`, `id`) may be part of any statement, so it is replaced only where it stands
 * as a token: after `Bearer`, or between quotes.
 */
export function redact(text: string, secret: string | undefined, most = longest): string {
  const safe = startWithout(secret, text, 2 * most)
  if (safe.length <= most && plainLine.test(safe)) return safe
  const line = safe.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= most ? line : `${cut(line, most - 1)}…`
}

/** A statement without the secret; undefined if its line in the log is the same. */
export function wholeText(text: string, secret: string | undefined, line: string): string | undefined {
  if (text === line) return undefined
  const safe = startWithout(secret, text, longestText)
  return safe === line ? undefined : safe
}

/** The first characters, without half of a surrogate pair: a copy, since a part of a text keeps the whole in memory. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : structuredClone(text.slice(0, length).replace(/[\ud800-\udbff]$/, ''))

/** The first characters of a text without the secret, of which no part stays where the search ends. */
function startWithout(secret = '', text: string, length: number): string {
  const part = text.slice(0, longestSearched)
  const safe = withoutSecret(part, secret)
  const unsure = part.length < text.length ? secret.length : 0
  return cut(safe, Math.min(length, Math.max(safe.length - unsure, 0)))
}

/** A text of which no part but its ends may show the secret. */
export function withoutSecret(text: string, secret: string): string {
  if (secret === '' || !text.includes(secret)) return text
  if (secret.length >= 6) return text.replaceAll(secret, '[token]')
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  // not a lookbehind, which would read a row of spaces again from each of them
  return text.replaceAll(new RegExp(`(\\b[Bb]earer +|["'])${literal}(?![^\\s"'])`, 'g'), '$1[token]')
}
