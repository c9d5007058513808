/**
 * `npm run bench [-- NAME...]`: times the built server, Prism and naive PGlite. Prints every measure with its target. The exit
 * code does not depend on the measures.
 *
 * `--record` keeps the measures in tests/bench/figures.json, which `npm run generate` makes docs/performance.md of. Record on a quiet
 * machine: a benchmark beside others is not recorded.
 *
 * `npm run bench -- hostile-load --minutes 60` runs this benchmark for longer, and prints the counts each minute.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Benchmark, RunOptions } from './benchmark.ts'
import { benchmarks } from './benchmarks/index.ts'
import { pinLoad } from './harness/cores.ts'
import { repository } from './harness/folders.ts'
import { describeMachine, loadAverage, watchOthers } from './harness/machine.ts'
import { installPeers } from './harness/peers.ts'
import { record } from './figures.ts'
import { evidenceOf, type Ran, targetTable, verdict } from './report.ts'

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, record: { type: 'boolean', default: false } },
})
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const options: RunOptions = minutes === undefined ? {} : { minutes }
const usual = benchmarks.filter(({ onDemand }) => !onDemand)
const picked = names.length === 0 ? usual : benchmarks.filter(({ name }) => names.includes(name))

if (process.platform !== 'linux') {
  console.log('The benchmarks need /proc. Run them on Linux.')
} else if (picked.length < names.length) {
  console.log(`Unknown benchmark. Name one of: ${benchmarks.map(({ name }) => name).join(', ')}.`)
} else if (minutes !== undefined && names.join() !== 'hostile-load') {
  console.log('--minutes is for hostile-load alone. Name it, and no other benchmark.')
} else if (minutes !== undefined && !(minutes > 0)) {
  console.log(`--minutes ${values.minutes} is not a time. Give a number above 0, such as 60.`)
} else {
  await main()
}

async function main(): Promise<void> {
  build()
  installPeers()
  const machine = describeMachine()
  const loadBefore = loadAverage()
  pinLoad()
  const started = performance.now()
  const ran: Ran[] = []
  for (const benchmark of picked) ran.push(await run(benchmark))
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)

  const date = new Date().toISOString().slice(0, 10)
  const document = [
    `# Benchmarks, ${date}`,
    [...machine, `load average ${loadBefore} before, ${loadAverage()} after; ${minutes} minutes`]
      .map((line) => `- ${line}`)
      .join('\n'),
    verdict(ran),
    '## Targets',
    targetTable(ran),
    '## Evidence',
    ...ran.flatMap(evidenceOf),
  ].join('\n\n')
  console.log(`\n${document}`)
  if (values.record) record(ran, date)
}

/** Builds the package: the benchmarks run plain JavaScript without tsx. */
function build(): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    cwd: repository,
    stdio: 'inherit',
    shell: true,
  })
  if (status !== 0) throw new Error('The build failed. Correct the errors above.')
}

async function run(benchmark: Benchmark): Promise<Ran> {
  console.log(`${benchmark.name}: ${benchmark.title} ...`)
  const others = watchOthers()
  try {
    const findings = await benchmark.run(options)
    return { benchmark, findings, others: others() }
  } catch (error) {
    console.log((error as Error).message)
    return {
      benchmark,
      failure: (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 120),
      others: others(),
    }
  }
}
