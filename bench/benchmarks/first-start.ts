import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { scratch } from '../harness/folders.ts'
import { ours, withServer } from '../harness/servers.ts'

/** The first start on a machine, which builds the snapshot. */
export const firstStart: Benchmark = {
  name: 'first-start',
  title: 'First start',
  async run() {
    // snapshots are cached in node_modules of the working directory, so an empty project has none
    const cwd = join(scratch, 'empty-project')
    mkdirSync(join(cwd, 'node_modules'), { recursive: true })
    return withServer({ ...ours(), cwd }, async ({ startedInMs, printed }) => {
      const steps = printed()
        .split('\n')
        .filter((line) => /^(Creating|Stored)/.test(line)).length
      return {
        measures: [
          { what: 'first start', value: startedInMs / 1000, unit: 's', must: 8, stretch: 4 },
          { what: 'progress steps printed', value: steps, unit: '', must: 1, more: true },
        ],
      }
    })
  },
}
