import alignment from './alignment.json' with { type: 'json' }
import cursorLoads from './cursor-loads.json' with { type: 'json' }
import deltas from './deltas.json' with { type: 'json' }
import jsonAccess from './json-access.json' with { type: 'json' }
import percentiles from './percentiles.json' with { type: 'json' }
import pivots from './pivots.json' with { type: 'json' }
import regressions from './regressions.json' with { type: 'json' }
import resampling from './resampling.json' with { type: 'json' }
import windows from './windows.json' with { type: 'json' }
import yields from './yields.json' with { type: 'json' }

/** A statement as users of the data write it. */
export interface CorpusStatement {
  /** Stable, kebab-case. */
  id: string
  title: string
  /** What somebody wants to know when they send it. */
  why: string
  statement: string
  /** Whether its ORDER BY leaves only one order of the rows. */
  ordered?: boolean
  /** Finds nothing, on purpose. */
  empty?: boolean
}

/** Statements that belong together; a check reports them as one. */
export interface CorpusTopic {
  topic: string
  /** The object of the sentence "MAY answer …". */
  title: string
  statements: readonly CorpusStatement[]
}

/** A file of the corpus: the lines of each statement make one. */
interface CorpusFile extends Omit<CorpusTopic, 'statements'> {
  statements: (Omit<CorpusStatement, 'statement'> & { statement: string[] })[]
}

const files: CorpusFile[] = [
  cursorLoads,
  deltas,
  pivots,
  alignment,
  windows,
  jsonAccess,
  regressions,
  percentiles,
  resampling,
  yields,
]

/** Undocumented SQL as users of the data write it, by topic. */
export const corpus: readonly CorpusTopic[] = files.map(({ statements, ...topic }) => ({
  ...topic,
  statements: statements.map(({ statement, ...rest }) => ({ ...rest, statement: statement.join('\n') })),
}))
