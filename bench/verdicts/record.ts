import { existsSync } from 'node:fs'
import { readRecord, startRecord, type Header } from './file.ts'
import { parts } from './parts/index.ts'
import { plan, type PlanOptions } from './plan.ts'
import { judgeAll, type Finished } from './workers.ts'

export interface RecordOptions extends PlanOptions {
  file: string
  jobs: number
  /** Continues a record that is incomplete. */
  resume: boolean
  /** Receives progress lines. */
  say: (line: string) => void
}

/**
 * Judges the subjects and writes the record.
 *
 * @returns the number of subjects without an entry
 * @throws Error if nothing is selected or the file cannot be written or continued
 */
export async function record(options: RecordOptions): Promise<number> {
  const { file, jobs, say } = options
  const { header, planned } = plan(options)
  if (existsSync(file) && !options.resume)
    throw new Error(`${file} exists. Name another file with --out, or continue it with --resume.`)
  const entries = options.resume ? entriesToKeep(file, header) : []
  const output = startRecord(file, header, entries)
  let failures = 0
  for (const [name, ids] of planned) {
    const known = new Set(entries.filter(({ part }) => part === name).map(({ id }) => id))
    const left = ids.filter((id) => !known.has(id))
    say(`${name}: ${header.parts[name]!.sampled}${known.size > 0 ? `, ${known.size} known` : ''}`)
    const { varies } = parts.find((part) => part.name === name)!
    const isAlone = (id: string) => varies?.(id) ?? false
    const seconds: number[] = []
    const judge = (some: readonly string[], processes: number) =>
      judgeAll(name, some, processes, (judged) => {
        if ('failure' in judged) {
          failures++
          return say(`  ${judged.id}: ${judged.failure}`)
        }
        output.add(judged.entry)
        seconds.push(judged.seconds)
        say(`  ${seconds.length}  ${progressOf(judged)}`)
      })
    await judge(
      left.filter((id) => !isAlone(id)),
      jobs,
    )
    await judge(left.filter(isAlone), 1)
    const all = seconds.reduce((sum, one) => sum + one, 0)
    if (seconds.length > 0) say(`${name}: ${(all / seconds.length).toFixed(1)} s for each subject`)
  }
  if (failures === 0) output.end()
  return failures
}

/** The entries of an incomplete record of the same code and the same sample. */
function entriesToKeep(file: string, header: Header) {
  const { header: old, entries } = readRecord(file)
  if (comparable(old) !== comparable(header))
    throw new Error(
      `${file} was recorded with other code, another Node or other options. Name another file with --out.`,
    )
  return entries
}

const comparable = (header: Header): string => JSON.stringify({ ...header, date: '' })

const progressOf = ({ entry: { id, verdict, unstable }, seconds, cpuSeconds }: Finished): string =>
  `${id}: ${verdict}${unstable ? ', unstable' : ''}, ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time`
