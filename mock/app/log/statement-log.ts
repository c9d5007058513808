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
  /** Why the request failed: the text of the database, which `Error executing statement` hides. */
  readonly cause?: string
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

/** A text that is fit for a log as it is; most statements are. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/

/** One line of text: `200 success 12 ms 345 B SELECT * FROM v_formulas`. */
export function formatStatementLog(log: StatementLog): string {
  const size = log.bytes === undefined ? '' : ` ${log.bytes} B`
  const statement = log.statement === undefined ? '' : ` ${log.statement}`
  const cause = log.cause === undefined ? '' : ` (${log.cause})`
  return printableLine(
    `${log.status} ${log.state} ${Math.round(log.durationMs)} ms${size}${statement}${cause}`,
  )
}

/**
 * Makes a text fit for a log: one line, shortened, without the secret. A secret of six characters or more is replaced
 * wherever it stands. A shorter one (`x`, `id`) may be part of any statement, so it is replaced only where it stands
 * as a token: after `Bearer`, or between quotes.
 */
export function redact(text: string, secret: string | undefined): string {
  const safe = startWithout(secret, text, 2 * longest)
  if (safe.length <= longest && plainLine.test(safe)) return safe
  const line = safe.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= longest ? line : `${cut(line, longest - 1)}…`
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
  const safe = secret !== '' && part.includes(secret) ? withoutSecret(part, secret) : part
  const unsure = part.length < text.length ? secret.length : 0
  return cut(safe, Math.min(length, Math.max(safe.length - unsure, 0)))
}

function withoutSecret(text: string, secret: string): string {
  if (secret.length >= 6) return text.replaceAll(secret, '[token]')
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  // not a lookbehind, which would read a row of spaces again from each of them
  return text.replaceAll(new RegExp(`(\\b[Bb]earer +|["'])${literal}(?![^\\s"'])`, 'g'), '$1[token]')
}
