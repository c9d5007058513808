import { refuseBody } from './answers/json-fault.ts'
import { statusOf, type Settings } from './settings.ts'
import { Refusal } from './refusal.ts'

const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** @throws Refusal 415 for anything but `application/json` in UTF-8 (a variant may say otherwise) without a content coding */
export function checkContentType(headers: Headers, settings: Settings): void {
  const policy = settings['http.content-type']
  if (policy !== 'ignored' && !json.test(headers.get('content-type') ?? '')) {
    throw new Refusal(
      statusOf(policy),
      'The body must be JSON. Send the header "Content-Type: application/json".',
    )
  }
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw new Refusal(415, 'The body must not be compressed. Send it without "Content-Encoding".')
  }
}

/**
 * The statement in a request body (Execute a statement, rule 1). Bytes are strict UTF-8; a byte order mark is
 * skipped (RFC 8259, 8.1, allows it); of a repeated key the last counts; unknown keys are ignored unless a variant
 * refuses them.
 *
 * @throws Refusal `JSON decode error: ...` for a body that is not JSON (Errors, row 3; unless a variant says
 *   otherwise with status 200, as SQL-level errors have), 400 for JSON without a string `statement`
 */
export function decodeStatement(body: Uint8Array, settings: Settings): string {
  const value = parse(body, settings)
  if (
    typeof value === 'object' &&
    value !== null &&
    'statement' in value &&
    typeof value.statement === 'string'
  ) {
    if (settings['http.extra-keys'] !== 'ignored') refuseFurtherKeys(value, settings)
    return value.statement
  }
  const status = statusOf(settings['http.bad-request'])
  throw new Refusal(status, 'The body must be a JSON object with a string "statement".')
}

function refuseFurtherKeys(value: object, settings: Settings): void {
  const further = Object.keys(value).find((key) => key !== 'statement')
  if (further === undefined) return
  const status = statusOf(settings['http.extra-keys'])
  throw new Refusal(status, 'The body must be a JSON object with a "statement" and nothing else.')
}

function parse(body: Uint8Array, settings: Settings): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw refuseBody(undefined, settings)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw refuseBody(text, settings)
  }
}
