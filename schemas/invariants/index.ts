import { documented } from './documented.ts'
import type { Invariant } from './invariant.ts'
import { plausible } from './plausible/list.ts'

export { bioprocessStatuses } from './bioprocess.ts'
export { apparentKind, kindProblems, namedKind, type EventKind } from './events.ts'
export { microsOf, type Micros } from './evidence/instant.ts'
export type { Invariant, Judgement, Problems, Row } from './invariant.ts'
export { Inspection, judge, type InvariantFinding, type JudgeOptions, type Source } from './judge.ts'
export { shown, textOf, type Message } from './message.ts'
export type { Tables } from './tables.ts'

/** Everything that is always true of the rows of the service: D1 to D33, then P1 to P38. */
export const invariants: readonly Invariant[] = [...documented, ...plausible]
