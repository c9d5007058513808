import { profileOf } from '../../conformance/run/profile.ts'
import type { ConformanceReport } from '../../schemas/index.ts'

/** The verdict on one subject, without anything that differs between two runs of the same code. */
export interface Entry {
  readonly part: string
  readonly id: string
  readonly verdict: string
  /** The number of checks that passed: the other checks are listed. */
  readonly passed: number
  /** Sorted ids by outcome or kind; an empty list is left out. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** Whether repeated runs gave different entries; the first is stored. */
  readonly unstable?: true
}

/** Reduces a report to an entry. */
export function entryOf(part: string, id: string, report: ConformanceReport): Entry {
  const { verdict, checks, counts, observations, notObserved = {} } = report
  const lists: Record<string, string[]> = {}
  const add = (name: string, item: string) => void (lists[name] ??= []).push(item)
  for (const check of checks) {
    if (check.outcome !== 'pass') add(check.outcome, check.id)
  }
  const { variants, unmatched = {} } = profileOf({ observations })
  for (const [point, variant] of Object.entries(variants)) add('variants', `${point}=${variant}`)
  for (const point of Object.keys(unmatched)) add('unmatched', point)
  for (const point of Object.keys(notObserved)) add('not observed', point)
  for (const list of Object.values(lists)) list.sort()
  return { part, id, verdict, passed: counts.pass, lists }
}

const MOST_RUNS = 3

/** Runs a subject until two entries agree, at most three times. */
export async function agreed(run: () => Promise<Entry>): Promise<Entry> {
  const seen: Entry[] = []
  while (seen.length < MOST_RUNS) {
    const entry = await run()
    if (seen.some((one) => differences(one, entry).length === 0)) return entry
    seen.push(entry)
  }
  return { ...seen[0]!, unstable: true }
}

/** The differences between two entries of a subject: "verdict incomplete -> non-conformant", "fail +sql.limit". */
export function differences(before: Entry, after: Entry): string[] {
  const names = new Set([...Object.keys(before.lists), ...Object.keys(after.lists)])
  return [
    ...(before.verdict === after.verdict ? [] : [`verdict ${before.verdict} -> ${after.verdict}`]),
    ...(before.passed === after.passed ? [] : [`passed ${before.passed} -> ${after.passed}`]),
    ...[...names].toSorted().flatMap((name) => {
      const changes = changesIn(before.lists[name], after.lists[name])
      return changes.length === 0 ? [] : [`${name} ${changes.join(' ')}`]
    }),
  ]
}

/** What two lists do not share: "+new", "-gone". */
export const changesIn = (before: readonly string[] = [], after: readonly string[] = []): string[] => [
  ...after.filter((item) => !before.includes(item)).map((item) => `+${item}`),
  ...before.filter((item) => !after.includes(item)).map((item) => `-${item}`),
]
