import { changesIn, differences } from './entry.ts'
import type { VerdictRecord } from './file.ts'

export interface Comparison {
  /** The number of subjects that both records judge. */
  readonly compared: number
  /** The number of differences. */
  readonly different: number
  /** For each part the counts, then its differences. */
  readonly lines: readonly string[]
}

/** Compares two records subject by subject. A subject that a sample or `--only` left out is no difference. */
export function compare(before: VerdictRecord, after: VerdictRecord): Comparison {
  const checks = changesIn(before.header.checks, after.header.checks)
  const parts = Object.keys({ ...before.header.parts, ...after.header.parts }).map((name) =>
    comparePart(name, before, after),
  )
  return {
    compared: parts.reduce((sum, { compared }) => sum + compared, 0),
    different: parts.reduce((sum, { found }) => sum + found.length, checks.length > 0 ? 1 : 0),
    lines: [
      ...(checks.length > 0 ? [`checks of the suite: ${checks.join(' ')}`] : []),
      ...parts.flatMap(({ summary, found }) => [summary, ...found.map((line) => `  ${line}`)]),
    ],
  }
}

function comparePart(name: string, before: VerdictRecord, after: VerdictRecord) {
  const [old, now] = [sideOf(name, before), sideOf(name, after)]
  const counts = { equal: 0, different: 0, unstable: 0, notCompared: 0 }
  const found: string[] = []
  for (const id of new Set([...(old.ids ?? []), ...(now.ids ?? [])])) {
    const [one, other] = [old.entries.get(id), now.entries.get(id)]
    if (old.ids && now.ids && !(old.ids.includes(id) && now.ids.includes(id)))
      found.push(`${id}: only in ${old.ids.includes(id) ? 'BEFORE' : 'AFTER'}`)
    else if (!one || !other) counts.notCompared++
    else if (one.unstable || other.unstable) counts.unstable++
    else {
      const changes = differences(one, other)
      if (changes.length === 0) counts.equal++
      else {
        counts.different++
        found.push(`${id}: ${changes.join(', ')}`)
      }
    }
  }
  const { equal, different, unstable, notCompared } = counts
  const summary = `${name}: ${equal} equal, ${found.length} different, unstable: ${unstable}, not compared: ${notCompared}`
  return { compared: equal + different, found, summary }
}

/** A part of a record. */
const sideOf = (name: string, { header, entries }: VerdictRecord) => ({
  /** Undefined if the record does not have the part. */
  ids: header.parts[name]?.ids,
  entries: new Map(entries.filter(({ part }) => part === name).map((entry) => [entry.id, entry])),
})
