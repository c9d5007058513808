import { createHash } from 'node:crypto'
import type { Evidence } from '../../../schemas/index.ts'
import type { JsonText } from '../../../base/text/json-text.ts'
import type { Disclosure } from '../redaction/disclosure.ts'
import type { Secrets } from '../redaction/secrets.ts'

/** A request to the target and its response. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** Absent if no response came. */
  response?: {
    status: number
    headers: Headers
    bytes: number
    /** Memory that the text and its values take, in bytes. */
    memory: number
  } & JsonText
  /** Set if no other request of the run was in flight meanwhile. */
  isAlone?: true
  /** When it was sent, on the clock of `performance`. */
  sentAt?: number
  /** When the last byte came, on the clock of `performance`. */
  endedAt?: number
  /** Set if the run keeps the reply, to judge it again at the end. */
  isKept?: true
  /** Why there is no response. */
  failure?: string
  /** Set if the reply broke on an open connection: before its headers, or in its body. */
  broke?: 'before headers' | 'in the body'
  /** Time from sending to the last byte, in milliseconds. */
  durationMs: number
}

/** Longest part of a response body in a report, in characters. */
const MAX_EVIDENCE = 64 * 1024

/**
 * A `curl` command that repeats the request. It has variables in place of tokens and keys, so that a report can be
 * shared. Of invalid tokens made by the suite, only the parts of the valid one are replaced.
 */
export function curlOf({ request }: Exchange, secrets: Secrets): string {
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const written = secrets.asVariable(value)
    return written === undefined ? `-H ${quote(`${name}: ${value}`)}` : `-H "${name}: ${written}"`
  })
  const body = request.method === 'GET' ? [] : [`--data-raw ${quote(request.body)}`]
  return ['curl -sS -i', `-X ${request.method}`, quote(request.url), ...headers, ...body].join(' ')
}

/** The evidence in a report. It has the body only with `full` disclosure, because rows may be confidential. */
export function evidenceOf(
  { request, response, durationMs }: Exchange,
  secrets: Secrets,
  disclosure: Disclosure,
): Evidence {
  const sent = secrets.redact(request.body)
  return {
    request: sent.length > 300 ? `${sent.slice(0, 300)}…` : sent,
    status: response?.status ?? 0,
    bytes: response?.bytes ?? 0,
    sha256: createHash('sha256')
      .update(response?.text ?? '')
      .digest('hex'),
    durationMs: Math.round(durationMs),
    ...(disclosure === 'full' && response
      ? { body: secrets.redactEcho(response.text).slice(0, MAX_EVIDENCE) }
      : {}),
  }
}

/** Quotes for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
