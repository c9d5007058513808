import { contract } from '../../../schemas/contract.ts'
import type { Exchange } from './exchange.ts'

/** A request of the statement endpoint, read once for all rules. */
export interface StatementRequest {
  readonly exchange: Exchange
  /** Of the exchange, counted from 0. */
  readonly number: number
  /** Why the body is not `{"statement": "..."}`; undefined if it is, or if only its beginning was recorded. */
  readonly problem?: string
  /** Absent if the body has none. */
  readonly statement?: string
}

/** Methods that ask about the endpoint and carry no statement, such as the preflight requests of browsers. */
const ABOUT = ['OPTIONS', 'HEAD']

/** The request of an exchange; undefined for another path and for requests about the endpoint. */
export function statementRequest(
  exchange: Exchange,
  number: number,
  basePath: string,
): StatementRequest | undefined {
  const path = basePath + contract.endpoint.path
  if (ABOUT.includes(exchange.method)) return undefined
  if (exchange.path !== path && `${exchange.path}/` !== path) return undefined
  const { text, isWhole, encodingProblem } = exchange.body
  if (!isWhole) return { exchange, number }
  const problem = encodingProblem && { problem: `the body has ${encodingProblem}` }
  return { exchange, number, ...readBody(text), ...problem }
}

/** The statement of a body, or why it has none. */
export function readBody(text: string): Pick<StatementRequest, 'problem' | 'statement'> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: text === '' ? 'the body is empty' : 'the body is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'the body is not an object' }
  const { statement } = value as { statement?: unknown }
  return typeof statement === 'string' ? { statement } : { problem: 'the body has no string "statement"' }
}
