/** The number of engines in each state. */
export interface EngineStatus {
  readonly idle: number
  readonly busy: number
  readonly starting: number
  /** Statements that wait for an engine. */
  readonly waiting: number
  /** Number of engines that ended since the start, by reason. */
  readonly ended: Readonly<Record<string, number>>
  /** Why statements fail, or some of them, in sentences for the operator. */
  readonly problem?: string
}
