/**
 * `npx tsx bench/verdicts/main.ts record` judges mutants, controls, variants and other servers and stores the verdicts;
 * `compare BEFORE AFTER` names each subject whose verdict differs. Exits with 0 if the records are equal or the record is
 * complete, with 1 if not, and with 2 if it cannot tell.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { results } from '../harness/folders.ts'
import { compare } from './compare.ts'
import { readRecord } from './file.ts'
import { record } from './record.ts'

const USAGE = `Usage:
  npx tsx bench/verdicts/main.ts record [--out FILE] [--hours N] [--seed N] [--jobs N] [--only PART[/ID]]... [--resume]
  npx tsx bench/verdicts/main.ts compare BEFORE AFTER [--partial]`

try {
  process.exitCode = await run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

async function run(): Promise<number> {
  const [command, ...args] = process.argv.slice(2)
  if (command === 'record') return runRecord(args)
  if (command === 'compare') return runCompare(args)
  throw new Error(USAGE)
}

async function runRecord(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      out: text,
      hours: text,
      seed: text,
      jobs: text,
      only: { ...text, multiple: true },
      resume: { type: 'boolean' },
    },
  })
  const number = (name: 'hours' | 'seed' | 'jobs', otherwise: number): number => {
    const value = Number(values[name] ?? otherwise)
    if (!(value > 0)) throw new Error(`--${name} must be a positive number.`)
    return value
  }
  const file = values.out ?? join(results, `verdicts-${new Date().toISOString().slice(0, 10)}.ndjson`)
  const failures = await record({
    file,
    hours: number('hours', 4),
    seed: number('seed', 1),
    jobs: number('jobs', 2),
    only: values.only ?? [],
    resume: values.resume ?? false,
    say: (line) => console.log(line),
  })
  if (failures === 0) console.log(`Stored in ${file}.`)
  else
    console.error(
      `${file} is incomplete: ${failures} subjects have no verdict. Try them again with --resume.`,
    )
  return failures === 0 ? 0 : 1
}

function runCompare(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { partial: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (positionals.length !== 2) throw new Error(USAGE)
  const [before, after] = positionals.map((file) => {
    const read = readRecord(file)
    if (!read.complete) {
      console.error(`${file} is incomplete: the run that wrote it has not ended.`)
      if (!values.partial)
        throw new Error('Continue the run with `record --resume`, or compare with --partial.')
    }
    return read
  })
  const { compared, different, lines } = compare(before!, after!)
  for (const line of lines) console.log(line)
  if (compared === 0 && different === 0) throw new Error('The records have no subject in common.')
  console.log(
    different === 0
      ? `Equal: ${compared} subjects.`
      : `${different} differences; ${compared} subjects compared.`,
  )
  return different === 0 ? 0 : 1
}
