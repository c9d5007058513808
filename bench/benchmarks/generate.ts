import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../fixtures/export/index.ts'
import { contract } from '../../schemas/index.ts'
import type { Benchmark } from '../benchmark.ts'
import { printedBy, runNode, type Finished } from '../harness/command.ts'
import { peersProject, repository, scratch } from '../harness/folders.ts'
import { median, short } from '../harness/numbers.ts'

const dist = join(repository, 'dist')
const out = join(scratch, 'plant')

interface Exported extends Finished {
  points: number
  bytes: number
}

/** Exports the plant of a scale and deletes the files. */
async function exported(scale: number, ...flags: string[]): Promise<Exported> {
  const main = join(dist, 'cli', 'main.js')
  try {
    const found = await runNode([main, 'fixtures', 'export', `--scale=${scale}`, `--out=${out}`, ...flags])
    const { views } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest
    const bytes = Object.values(views!).reduce((sum, file) => sum + file.bytes, 0)
    return { ...found, bytes, points: views!.v_timeseries_data.rows }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

async function naive(scale: number): Promise<Finished> {
  const script = join(peersProject, 'naive-export.mjs')
  try {
    return await runNode([
      script,
      join(dist, 'fixtures', 'index.js'),
      contract.views.join(','),
      String(scale),
      out,
    ])
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Seconds of an export in a new process, without the start of Node. */
function cold(scale: number): number {
  const script = join(repository, 'bench/generate/cold.mjs')
  try {
    return Number(printedBy(['--import', 'tsx', script, String(scale), out]))
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const rowOf = (what: string, { seconds, peakMb }: Finished, points: number, bytes?: number) => ({
  what,
  seconds: short(seconds),
  points: short(points),
  'points per second': short(points / seconds),
  MB: bytes === undefined ? '' : short(bytes / 1e6),
  'peak RSS, MB': short(peakMb),
})

const two = ['--format=ndjson', '--workers=2']

/** The export of the simulated plant, from the start of Node to its exit. */
export const generate: Benchmark = {
  name: 'generate',
  title: 'Generating the plant to NDJSON files',
  async run() {
    const [small, smallCold] = [[] as number[], [] as number[]]
    for (let round = 0; round < 5; round++) {
      small.push((await exported(0.1, '--format=ndjson')).seconds)
      smallCold.push(cold(0.1))
    }
    const large = await exported(10, ...two)
    const baseline = await naive(10)
    const packed = await exported(10, ...two, '--compress=zstd')
    return {
      measures: [
        {
          what: 'points per second, two threads, scale 10',
          value: large.points / large.seconds,
          unit: '',
          must: 1_000_000,
          more: true,
        },
        {
          what: 'speed-up over row objects and JSON.stringify in one thread',
          value: baseline.seconds / large.seconds,
          unit: 'x',
        },
        { what: 'peak RSS, two threads, scale 10', value: large.peakMb, unit: 'MB', must: 300 },
        { what: 'scale 0.1, without the start of Node', value: median(smallCold), unit: 's', must: 1 },
        { what: 'scale 0.1, the whole command', value: median(small), unit: 's' },
      ],
      evidence: [
        rowOf('two threads', large, large.points, large.bytes),
        rowOf('two threads, zstd', packed, packed.points, packed.bytes),
        rowOf('row objects, JSON.stringify, one thread', baseline, large.points),
      ],
    }
  },
}

/** The largest plant: takes minutes and temporarily 15 GB of disk. */
export const generateLargest: Benchmark = {
  name: 'generate-100',
  title: 'Generating the largest plant to NDJSON files',
  onDemand: true,
  async run() {
    const found = await exported(100, ...two)
    return {
      measures: [
        {
          what: 'points per second, two threads, scale 100',
          value: found.points / found.seconds,
          unit: '',
          must: 1_000_000,
          more: true,
        },
        { what: 'peak RSS, two threads, scale 100', value: found.peakMb, unit: 'MB', must: 300 },
      ],
      evidence: [rowOf('two threads', found, found.points, found.bytes)],
    }
  },
}
