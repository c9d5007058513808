import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Entry } from './entry.ts'

/** The first line of a record. */
export interface Header {
  readonly record: 'verdicts'
  /** The commit, with `+changes` if the working tree had others. */
  readonly commit: string
  readonly date: string
  readonly node: string
  readonly seed: number
  readonly hours: number
  /** The ids of all checks of the suite. */
  readonly checks: readonly string[]
  readonly parts: Readonly<Record<string, PartOfRecord>>
}

export interface PartOfRecord {
  /** How much of the part is judged: "24 of 438". */
  readonly sampled: string
  /** The ids of all subjects, judged or not. */
  readonly ids: readonly string[]
}

export interface VerdictRecord {
  readonly header: Header
  readonly entries: readonly Entry[]
  /** Whether all subjects of the sample have an entry. */
  readonly complete: boolean
}

/** The last line of a complete record. */
const END = { complete: true }

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

/** Writes a record line by line, so that a run that was killed leaves what it has judged. */
export function startRecord(file: string, header: Header, entries: readonly Entry[] = []) {
  writeFileSync(file, [header, ...entries].map(line).join(''))
  return {
    add: (entry: Entry) => appendFileSync(file, line(entry)),
    end: () => appendFileSync(file, line(END)),
  }
}

/** @throws Error if the file cannot be read or is no record */
export function readRecord(file: string): VerdictRecord {
  const texts = textOf(file).split('\n')
  // A run that was killed may have written a part of the last line.
  texts.pop()
  let header: Header | undefined
  let lines: (Entry | typeof END)[]
  try {
    ;[header, ...lines] = texts.map((text) => JSON.parse(text)) as [Header, ...typeof lines]
  } catch {
    throw new Error(`${file} has a line that is not JSON. Record the verdicts again.`)
  }
  if (header?.record !== 'verdicts')
    throw new Error(`${file} is no record of verdicts. Give one that \`record\` wrote.`)
  const entries = lines.filter((one): one is Entry => !('complete' in one))
  return { header, entries, complete: entries.length < lines.length }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(
      `${file} cannot be read (${(error as Error).message}). Give a file that \`record\` wrote.`,
      { cause: error },
    )
  }
}
