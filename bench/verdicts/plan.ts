import { execFileSync } from 'node:child_process'
import { checks } from '../../conformance/index.ts'
import { repository } from '../harness/folders.ts'
import type { Header } from './file.ts'
import { parts } from './parts/index.ts'
import { sample } from './sample.ts'

export interface PlanOptions {
  /** The budget, in hours of processor time. */
  hours: number
  seed: number
  /** Parts, or subjects as PART/ID. Empty: all. */
  only: readonly string[]
}

/** The header of a record, and the ids that are judged in each part. @throws Error for a name that does not exist */
export function plan({ hours, seed, only }: PlanOptions): { header: Header; planned: [string, string[]][] } {
  const isNamed = (part: string, id: string) =>
    only.length === 0 || only.includes(part) || only.includes(`${part}/${id}`)
  const named = parts.map((part) => ({ ...part, ids: part.ids.filter((id) => isNamed(part.name, id)) }))
  const chosen = named.filter(({ ids }) => ids.length > 0)
  const unknown = only.filter(
    (one) => !chosen.some(({ name, ids }) => one === name || ids.some((id) => one === `${name}/${id}`)),
  )
  if (unknown.length > 0)
    throw new Error(
      `There is no ${unknown.join(' and no ')}. Name PART or PART/ID; the parts are ${parts.map(({ name }) => name).join(', ')}.`,
    )
  const planned = [...sample(chosen, hours * 3600, seed)]
  const parted = planned.map(([name, ids]) => {
    const all = parts.find((part) => part.name === name)!.ids
    return [name, { sampled: `${ids.length} of ${all.length}`, ids: all }] as const
  })
  const header: Header = {
    record: 'verdicts',
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    seed,
    hours,
    checks: checks.map(({ id }) => id).toSorted(),
    parts: Object.fromEntries(parted),
  }
  return { header, planned }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()

function commit(): string {
  const changes = git('status', '--porcelain', '--untracked-files=no')
  return git('rev-parse', 'HEAD') + (changes === '' ? '' : '+changes')
}
