import type { Benchmark } from '../benchmark.ts'
import { bigResult } from './big-result.ts'
import { cpu } from './cpu.ts'
import { exportPlant } from './export.ts'
import { firstStart } from './first-start.ts'
import { hostileLoad } from './hostile-load.ts'
import { idleMemory } from './idle-memory.ts'
import { msw } from './msw.ts'
import { start } from './start.ts'
import { suite } from './suite.ts'
import { testFiles } from './test-files.ts'

/** All benchmarks, in execution order. */
export const benchmarks: readonly Benchmark[] = [
  start,
  firstStart,
  cpu,
  idleMemory,
  bigResult,
  suite,
  msw,
  hostileLoad,
  exportPlant,
  testFiles,
]
