import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { scratch } from '../harness/folders.ts'
import { median } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

const warmStarts = 3

/** The first start in a project, beside those that follow. */
export const firstStart: Benchmark = {
  name: 'first-start',
  title: 'First start',
  async run() {
    // snapshots are cached in node_modules of the working directory, so an empty project has none
    const cwd = join(scratch, 'empty-project')
    mkdirSync(join(cwd, 'node_modules'), { recursive: true })
    const start = () => withServer({ ...ours(), cwd }, async ({ startedInMs }) => startedInMs)
    const first = await start()
    const warm: number[] = []
    while (warm.length < warmStarts) warm.push(await start())
    return {
      measures: [
        { what: 'first start', value: first / median(warm), unit: 'x a warm start', must: 1.5 },
        { what: 'first start', value: first / 1000, unit: 's' },
      ],
    }
  },
}
