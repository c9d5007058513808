import type { ClientFinding } from './finding.ts'
import type { Continuation } from './delta-reads.ts'
import type { StatementRequest } from './statement-request.ts'

/** A request and what was read before it. */
export interface JudgedRequest extends StatementRequest {
  /** Present if the statement reads the changes after a time. */
  readonly continuation?: Continuation
}

/** Judges one requirement, request by request. Keeps no bodies of answers. */
export interface Rule {
  /** Takes the next request of the statement endpoint, in the order of their ends. */
  add(request: JudgedRequest): void
  finding(): ClientFinding
}
