export { countUnnamed } from './documented/events.ts'
export { amongExperiments } from './documented/relations.ts'
export {
  judgeEach,
  judgeRows,
  type RowFindings,
  type RowRule,
  type RowViolation,
} from './documented/judging.ts'
export { rowRules, violationsIn } from './documented/row-rules.ts'
export { choiceOf, differences, type Difference } from './documented/statistics.ts'
export { microsOf, type Micros } from './rows/instant.ts'
export type { Invariant, Judgement, Problems } from './invariant.ts'
export { Inspection, evaluate, type InvariantFinding, type EvaluateOptions, type Source } from './evaluate.ts'
export { shown, textOf, type Message } from './message.ts'
export type { Row } from './rows/row.ts'
export type { Tables } from './tables.ts'
