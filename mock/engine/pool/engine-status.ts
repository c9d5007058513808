/** What the engines behind the endpoint do at a moment. */
export interface EngineStatus {
  readonly idle: number
  readonly busy: number
  readonly starting: number
  /** Statements that wait for an engine. */
  readonly waiting: number
  /** How many engines ended since the start, by reason. */
  readonly ended: Readonly<Record<string, number>>
}
