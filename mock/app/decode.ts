import { contract } from '../../schemas/generated/contract.ts'
import { statusOf, type Behaviour } from './behaviour.ts'
import { explainJson } from './explain-json.ts'
import { Refusal } from './refusal.ts'

const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** @throws Refusal 415 for anything but `application/json` in UTF-8 without a content coding */
export function checkContentType(headers: Headers): void {
  if (!json.test(headers.get('content-type') ?? '')) {
    throw new Refusal(415, 'The body must be JSON. Send the header "Content-Type: application/json".')
  }
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw new Refusal(415, 'The body must not be compressed. Send it without "Content-Encoding".')
  }
}

/**
 * The statement in a request body (Execute a statement, rule 1). Bytes are strict UTF-8; a byte order mark is
 * skipped (RFC 8259, 8.1, allows it); of a repeated key the last counts; unknown keys are ignored.
 *
 * @throws Refusal `JSON decode error: ...` for a body that is not JSON (Errors, row 3; unless a variant says
 *   otherwise with status 200, as SQL-level errors have), 400 for JSON without a string `statement`
 */
export function decodeStatement(body: Uint8Array, behaviour: Behaviour): string {
  const value = parse(body, statusOf(behaviour['http.jsonError']))
  if (
    typeof value === 'object' &&
    value !== null &&
    'statement' in value &&
    typeof value.statement === 'string'
  ) {
    return value.statement
  }
  const status = statusOf(behaviour['http.badRequest'])
  throw new Refusal(status, 'The body must be a JSON object with a string "statement".')
}

function parse(body: Uint8Array, faultStatus: number): unknown {
  const notJson = (detail: string) => new Refusal(faultStatus, `${contract.messages.jsonDecode}: ${detail}`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw notJson('the body is not valid UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(describeFault(text))
  }
}

function describeFault(text: string): string {
  const fault = explainJson(text)
  if (fault === undefined) return 'the text is nested too deeply'
  return `${fault.problem} at line ${fault.line} column ${fault.column}`
}
