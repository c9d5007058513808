import { contentTypeStatus } from '../../open-points/http/content-type.ts'
import { badRequestStatus } from '../../open-points/http/bad-request.ts'
import { extraKeysStatus } from '../../open-points/http/extra-keys.ts'
import { jsonErrorAnswer } from '../../open-points/http/json-error.ts'
import { type JsonError, jsonErrorText } from '../../open-points/errors/json-text.ts'
import { explainJson } from '../../../base/text/explain-json.ts'
import { Refusal } from '../answer/refusal.ts'
import type { RequestHeaders } from './call.ts'
import type { Settings } from '../../open-points/settings.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON with any parameters, as RFC 9110, section 8.3.1, writes them; `charset` has no meaning for JSON, but may name another. */
const json = /^application\/json\s*(?:;|$)/i
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i

/** @throws Refusal for a content type other than `application/json` in UTF-8, or any content coding */
export function checkContentType(headers: RequestHeaders, settings: Settings): void {
  const status = contentTypeStatus(settings)
  const type = headers.get('content-type') ?? ''
  if (status !== undefined && (!json.test(type) || otherCharset.test(type)))
    throw new Refusal(status, 'The body must be JSON. Send the header "Content-Type: application/json".')
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? ''))
    throw new Refusal(415, 'The body must not be compressed. Send it without "Content-Encoding".')
}

/**
 * The statement in a request body. Bytes are strict UTF-8; a byte order mark is skipped (RFC 8259, 8.1, allows it); the
 * last of repeated keys counts; unknown keys are ignored unless a setting refuses them.
 *
 * @throws Refusal for a body that is not JSON, or JSON without a string `statement`
 */
export function decodeStatement(body: Uint8Array, settings: Settings): string {
  const value = parse(body, settings)
  if (
    typeof value === 'object' &&
    value !== null &&
    'statement' in value &&
    typeof value.statement === 'string'
  ) {
    const status = extraKeysStatus(settings)
    if (status !== undefined && Object.keys(value).some((key) => key !== 'statement'))
      throw new Refusal(status, 'The body must be a JSON object with a "statement" and nothing else.')
    return value.statement
  }
  throw new Refusal(badRequestStatus(settings), 'The body must be a JSON object with a string "statement".')
}

function parse(body: Uint8Array, settings: Settings): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw refuse(notUtf8, settings)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(errorIn(text), settings)
  }
}

function refuse(error: JsonError, settings: Settings): Refusal {
  const message = jsonErrorText(settings)(error)
  const { status, body } = jsonErrorAnswer(settings)
  return new Refusal(status, message, {}, { body: body?.(message, error.at) })
}

const notUtf8: JsonError = { problem: 'the body is not valid UTF-8', at: 0, place: '', found: '\ufffd' }

function errorIn(text: string): JsonError {
  const error = explainJson(text)
  if (error === undefined)
    return { problem: 'the text is nested too deeply', at: 0, place: '', found: text[0] }
  const { problem, line, column } = error
  const before = text.split('\n', line - 1).reduce((length, part) => length + part.length + 1, 0)
  const at = before + column - 1
  return { problem, at, place: `line ${line} column ${column}`, found: text[at] }
}
