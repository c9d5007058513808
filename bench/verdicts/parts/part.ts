import type { ConformanceReport } from '../../../schemas/index.ts'

/** Judges the subjects of a part, one or several at a time. */
export interface Judge {
  /** @param id an id of the part */
  judge(id: string): Promise<ConformanceReport>
  close(): Promise<unknown>
}

/** Subjects that are judged in the same way. */
export interface Part {
  readonly name: string
  /** The mean processor time to judge a subject once, in seconds, for the budget. */
  readonly seconds: number
  readonly ids: readonly string[]
  /** Whether the verdict depends on time or on the order of requests. Default: no. */
  varies?(id: string): boolean
  start(): Promise<Judge>
}
