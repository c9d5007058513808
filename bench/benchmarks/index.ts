import type { Benchmark } from '../benchmark.ts'
import { bigResult } from './big-result.ts'
import { cpu } from './cpu.ts'
import { database } from './database.ts'
import { firstStart } from './first-start.ts'
import { generate, generateLargest } from './generate.ts'
import { hostileLoad } from './hostile-load.ts'
import { idleMemory } from './idle-memory.ts'
import { msw } from './msw.ts'
import { proxy } from './proxy.ts'
import { sessionCosts } from './sessions.ts'
import { sleepers } from './sleepers.ts'
import { soak } from './soak.ts'
import { start } from './start.ts'
import { suite } from './suite.ts'
import { termination } from './termination.ts'
import { testFiles } from './test-files.ts'
import { timeLimit } from './time-limit.ts'

/** All benchmarks, in execution order. */
export const benchmarks: readonly Benchmark[] = [
  start,
  firstStart,
  cpu,
  idleMemory,
  bigResult,
  proxy,
  timeLimit,
  sleepers,
  termination,
  suite,
  msw,
  sessionCosts,
  soak,
  hostileLoad,
  generate,
  generateLargest,
  database,
  testFiles,
]
