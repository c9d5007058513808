import { documented } from './documented/list.ts'
import type { Invariant } from './invariant.ts'
import { plausible } from './plausible/list.ts'

export { bioprocessStatuses } from './documented/bioprocess.ts'
export { apparentKind, kindProblems, namedKind, type EventKind } from './documented/events.ts'
export { microsOf, type Micros } from './rows/instant.ts'
export type { Invariant, Judgement, Problems } from './invariant.ts'
export { Inspection, evaluate, type InvariantFinding, type EvaluateOptions, type Source } from './evaluate.ts'
export { shown, textOf, type Message } from './message.ts'
export type { Row } from './rows/row.ts'
export type { Tables } from './tables.ts'

/** Everything that is always true of the rows of the service: D1 to D33, then P1 to P38. */
export const invariants: readonly Invariant[] = [...documented, ...plausible]
