import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../fixtures/export/index.ts'
import type { Benchmark } from '../benchmark.ts'
import { runNode, type Finished } from '../harness/command.ts'
import { repository, scratch } from '../harness/folders.ts'
import { median, short } from '../harness/numbers.ts'

const [largeScale, smallScale, rounds] = [10, 0.1, 5]
const out = join(scratch, 'plant')

interface Exported extends Finished {
  readonly points: number
  readonly bytes: number
}

/** Exports the plant of a scale to NDJSON and deletes the files. */
async function exported(scale: number, ...flags: string[]): Promise<Exported> {
  const main = join(repository, 'dist', 'cli', 'main.js')
  const options = ['--format=ndjson', `--scale=${scale}`, `--out=${out}`, ...flags]
  try {
    const found = await runNode([main, 'fixtures', 'export', ...options])
    const { views } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest
    const bytes = Object.values(views!).reduce((sum, file) => sum + file.bytes, 0)
    return { ...found, bytes, points: views!.v_timeseries_data.rows }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The export of the simulated plant, from the start of Node to its exit. */
export const exportPlant: Benchmark = {
  name: 'export',
  title: 'Exporting the plant to NDJSON files',
  async run() {
    const small: number[] = []
    while (small.length < rounds) small.push((await exported(smallScale)).seconds)
    const large = await exported(largeScale, '--workers=2')
    return {
      measures: [
        {
          what: `points per second, two threads, scale ${largeScale}`,
          value: large.points / large.seconds,
          unit: '',
          must: 1_000_000,
          more: true,
        },
        { what: `peak RSS, two threads, scale ${largeScale}`, value: large.peakMb, unit: 'MB', must: 300 },
        { what: `the whole command, scale ${smallScale}`, value: median(small), unit: 's' },
      ],
      evidence: [
        {
          scale: largeScale,
          seconds: short(large.seconds),
          points: short(large.points),
          MB: short(large.bytes / 1e6),
        },
      ],
    }
  },
}
