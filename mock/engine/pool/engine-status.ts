/** The number of engines in each state. */
export interface EngineStatus {
  readonly idle: number
  readonly busy: number
  readonly starting: number
  /** Statements that wait for an engine. */
  readonly waiting: number
  /** Number of engines that ended since the start, by reason. */
  readonly ended: Readonly<Record<string, number>>
  /** The hosts of a database, if statements run on one. */
  readonly hosts?: readonly HostStatus[]
}

/** A host of a database. */
export interface HostStatus {
  /** Host and port. */
  readonly name: string
  readonly isUp: boolean
  /** Whether it is a standby. */
  readonly inRecovery: boolean
  /** How much of the log a standby has not replayed, compared with the furthest host. */
  readonly lagBytes: number
  /** Seconds since the newest change that a standby has replayed; 0 if it has nothing more to replay. */
  readonly lagSeconds: number
}
