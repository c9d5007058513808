/**
 * `npm run soak:suite [-- --reference N --pglite N --postgres N --writes N --rate N --scale S]`: the suite, run again and
 * again over targets that are right. Exits with 1 for a false alarm or a verdict that changes. A run with the numbers
 * that have to be reached is kept in bench/results.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { results } from '../harness/folders.ts'
import { document } from './table.ts'
import { faultsOf } from './tally.ts'
import { soakTargets } from './targets.ts'

/** What has to be reached; PostgreSQL without writes is there to compare. */
const FULL = { reference: 50, pglite: 50, postgres: 50, writes: 200 }

const number = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    reference: number,
    pglite: number,
    postgres: number,
    writes: number,
    rate: number,
    scale: number,
  },
})
const asked = (name: keyof typeof values, otherwise: number) => Number(values[name] ?? otherwise)
const runs = {
  reference: asked('reference', FULL.reference),
  pglite: asked('pglite', FULL.pglite),
  postgres: asked('postgres', FULL.postgres),
  writes: asked('writes', FULL.writes),
}

// The cluster outlives an interrupted terminal: it is stopped on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const result = await soakTargets({
  runs,
  scale: asked('scale', 0.1),
  writesPerSecond: asked('rate', 20),
  say: (line) => console.log(line),
})
const faults = result.soaked.flatMap(({ tally, moves }) => faultsOf(tally, moves))
const text = document(result, faults)
console.log(`\n${text}`)
if (faults.length > 0) process.exitCode = 1

const full = Object.entries(FULL).every(([name, least]) => runs[name as keyof typeof FULL] >= least)
if (full && result.skipped === undefined) {
  const file = join(results, `soak-suite-${new Date().toISOString().slice(0, 10)}.md`)
  writeFileSync(file, `${text}\n`)
  console.log(`\nKept in ${file}.`)
}
