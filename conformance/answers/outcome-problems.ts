import { isObject, show, showPlain } from '../connection/values/json.ts'
import { jsonProblem } from '../connection/http/reply.ts'
import type { SqlOutcome } from '../samples/outcomes.ts'

/** What {@link missingMember} expects. */
export const ENVELOPE = 'a JSON object {data: [...], status: {state, message}}'

/** The missing member of `{data, status: {state, message}}`. REQ-HTTP-6 covers `data` without rows. */
export function missingMember({ kind, reply }: SqlOutcome): string | undefined {
  const { json, envelope, exchange } = reply
  const { encodingProblem, text } = exchange.response!
  if (encodingProblem !== undefined) return encodingProblem
  if (text === '') return `no body (HTTP ${reply.status})`
  if (json === undefined) return `a body that is not JSON: ${jsonProblem(reply)}`
  if (!envelope) return 'neither data nor status'
  if (kind === 'rows' && !Array.isArray(envelope.data)) return 'no array "data"'
  if (!isObject(envelope.body['status'])) return 'no object "status"'
  if (envelope.state === undefined) return 'no "status.state"'
  return envelope.message === undefined ? 'no "status.message"' : undefined
}

export const wrongState = ({ reply: { envelope } }: SqlOutcome): string | undefined =>
  envelope?.state === undefined || envelope.state === 'success' || envelope.state === 'error'
    ? undefined
    : `the state ${showPlain(envelope.state)}`

/** Ignores a failing statement that got a success, which REQ-ERR-1 and REQ-ERR-6 cover. */
export function dataWithoutRows({ kind, reply: { envelope, ok } }: SqlOutcome): string | undefined {
  if (!envelope || kind === 'rows' || (kind === 'error' && ok)) return undefined
  if (envelope.data === undefined) return 'no "data"'
  if (!Array.isArray(envelope.data)) return `data ${show(envelope.data)}`
  return envelope.data.length > 0 ? `data of ${envelope.data.length} rows` : undefined
}

export const wrongMessage = ({ reply: { envelope } }: SqlOutcome): string | undefined =>
  envelope?.message === undefined || typeof envelope.message === 'string'
    ? undefined
    : `the message ${showPlain(envelope.message)}`

export const emptyMessage = ({ reply: { envelope } }: SqlOutcome): string | undefined =>
  typeof envelope?.message === 'string' && envelope.message.trim() === '' ? 'an empty message' : undefined

export const isServed = (status: number): boolean => status >= 200 && status < 300
