import { printableLine } from '../../../base/text/printable.ts'
import type { Exchange } from '../rules/exchange.ts'
import { readBody } from '../rules/statement-request.ts'
import { plainStatement } from '../rules/statement-text.ts'
import type { Recorded } from './record.ts'
import type { RequestSummary } from './types.ts'

/** Most characters of a statement in a summary. */
const KEPT = 200

/** The answers of the run without any habit, by request. */
export class PlainAnswers {
  readonly #digests = new Map<string, Set<string>>()
  readonly #statements = new Map<string, number>()

  add({ exchange, digest }: Recorded): void {
    const statement = plainStatement(readBody(exchange.body.text).statement ?? '')
    this.#statements.set(statement, this.countOf(statement) + 1)
    const key = keyOf(exchange)
    const known = this.#digests.get(key)
    if (known) known.add(digest)
    else this.#digests.set(key, new Set([digest]))
  }

  /** How often a statement came, without comments and with single spaces. */
  countOf(statement: string): number {
    return this.#statements.get(statement) ?? 0
  }

  /** Whether the request came without the habit too and got the same answer. Another request may be due to the habit. */
  has({ exchange, digest }: Recorded): boolean {
    return this.#digests.get(keyOf(exchange))?.has(digest) === true
  }
}

const keyOf = ({ method, path, body }: Exchange): string => `${method} ${path} ${body.text}`

/** A request as reports show it. */
export function summaryOf({ method, body, answer, ending }: Exchange): RequestSummary {
  const statement = printableLine(readBody(body.text).statement ?? `${method} ${body.text}`)
  return {
    statement: statement.length > KEPT ? `${statement.slice(0, KEPT)}…` : statement,
    answer: [answer && `HTTP ${answer.status}`, ending !== 'complete' && ending].filter(Boolean).join(', '),
  }
}
