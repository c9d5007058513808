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

/** A statement as a user of the data writes it. */
export interface CorpusStatement {
  /** Stable, kebab-case. */
  id: string
  title: string
  /** The purpose of the statement. */
  why: string
  statement: string
  /** Whether its ORDER BY determines the order of all rows. */
  ordered?: boolean
  /** Whether it returns no row on purpose. */
  empty?: boolean
}

/** Related statements with one check. */
export interface CorpusTopic {
  topic: string
  /** Completes "MAY return the same rows as the reference for …". */
  title: string
  statements: readonly CorpusStatement[]
}

/** A file of the corpus, with each statement as a list of lines. */
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
