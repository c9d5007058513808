/** A statement as users of the data write it. */
export interface CorpusStatement {
  /** Stable, kebab-case. */
  id: string
  title: string
  /** What somebody wants to know when they send it. */
  why: string
  statement: string
  /** Whether its ORDER BY leaves the rows one order alone. */
  ordered?: boolean
  /** Finds nothing, on purpose. */
  empty?: boolean
}

/** Statements that belong together; a check reports them as one. */
export interface CorpusTopic {
  topic: string
  /** To end the sentence "SHOULD answer …". */
  title: string
  statements: readonly CorpusStatement[]
}
