/**
 * `npm run soak:suite [-- --reference N --pglite N --postgres N --writes N --rate N --scale S]`: repeats the suite on correct
 * targets. Exits with 1 after a false alarm or a verdict that changes. A run with at least the default numbers is stored in
 * bench/results.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { results } from '../harness/folders.ts'
import { document } from './table.ts'
import { problemsOf } from './tally.ts'
import { soakTargets } from './targets.ts'

/** The runs of a complete soak. PostgreSQL without writes is for comparison. */
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
const option = (name: keyof typeof values, otherwise: number) => Number(values[name] ?? otherwise)
const runs = {
  reference: option('reference', FULL.reference),
  pglite: option('pglite', FULL.pglite),
  postgres: option('postgres', FULL.postgres),
  writes: option('writes', FULL.writes),
}

// exit stops the PostgreSQL cluster, which would outlive an interrupted terminal
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const result = await soakTargets({
  runs,
  scale: option('scale', 0.1),
  writesPerSecond: option('rate', 20),
  say: (line) => console.log(line),
})
const problems = result.soaked.flatMap(({ tally, hasWrites }) => problemsOf(tally, hasWrites))
const text = document(result, problems)
console.log(`\n${text}`)
if (problems.length > 0) process.exitCode = 1

const full = Object.entries(FULL).every(([name, least]) => runs[name as keyof typeof FULL] >= least)
if (full && result.skipped === undefined) {
  const file = join(results, `soak-suite-${new Date().toISOString().slice(0, 10)}.md`)
  writeFileSync(file, `${text}\n`)
  console.log(`\nStored in ${file}.`)
}
