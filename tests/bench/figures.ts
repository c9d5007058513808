import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from '../../generators/pages/figure-table.ts'
import { describeMachine } from './harness/machine.ts'
import { figureOf, noisy, type Ran } from './report.ts'

const file = new URL('figures.json', import.meta.url)

const recorded = (): Figure[] => JSON.parse(readFileSync(file, 'utf8')) as Figure[]

/** Puts the measures of benchmarks in place of those they have. Those beside other processes are left as they were. */
export function record(ran: readonly Ran[], measured: string): void {
  const machine = describeMachine().join('; ')
  const kept = ran.filter(({ findings, others }) => findings && others <= noisy)
  const fresh = kept.flatMap(({ benchmark: { name, title }, findings }) =>
    findings!.measures.map((measure): Figure => ({
      benchmark: name,
      title,
      what: measure.what,
      figure: figureOf(measure),
      measured,
      machine,
    })),
  )
  const others = recorded().filter(({ benchmark }) => !kept.some((one) => one.benchmark.name === benchmark))
  writeFileSync(file, `${JSON.stringify([...others, ...fresh], null, 2)}\n`)
  const noisyOnes = ran.filter((one) => !kept.includes(one)).map(({ benchmark }) => benchmark.name)
  if (noisyOnes.length > 0) console.log(`Not recorded, beside others or failed: ${noisyOnes.join(', ')}.`)
}
