import { alignment } from './alignment.ts'
import { cursorLoads } from './cursor-loads.ts'
import { deltas } from './deltas.ts'
import { jsonAccess } from './json-access.ts'
import { percentiles } from './percentiles.ts'
import { pivots } from './pivots.ts'
import { regressions } from './regressions.ts'
import { resampling } from './resampling.ts'
import type { CorpusTopic } from './statement.ts'
import { windows } from './windows.ts'
import { yields } from './yields.ts'

/** Statements as users of the data write them, by topic. They go beyond what is documented. */
export const corpus: readonly CorpusTopic[] = [
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
