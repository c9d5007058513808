import { views, type DataQualityNote, type ViewName } from '../../schemas/index.ts'
import { Inspection, invariants, textOf, type Judgement } from '../../invariants/index.ts'
import { rowsOf } from '../open-points/reading.ts'
import { plain, show, type Json } from '../connection/values/json.ts'
import { isCompleteBeside, largestOf } from '../connection/samples/whole.ts'
import type { Selection, Target } from '../connection/target.ts'

/** Timestamps up to this far ahead do not count as in the future, in milliseconds: clocks and zones differ. */
const GRACE_MS = 24 * 3_600_000

/** Violating rows shown for each invariant. */
const SHOWN = 3

/**
 * Checks the plausible invariants on the samples, without sending requests. They never fail a target. An invariant that
 * needs a whole view is skipped if the sample is only a part of it.
 *
 * @param now when the rows were read
 * @param safe removes secrets from a text
 */
export async function dataQualityOf(
  t: Target,
  now: Date,
  safe: (text: string) => string,
): Promise<DataQualityNote[]> {
  const read = new Map<ViewName, Json[]>()
  const samples = new Map<ViewName, Selection>()
  for (const { name } of views) {
    const sample = await t.sampleRead(name)
    if (!sample) continue
    read.set(name, await rowsOf(t, name))
    samples.set(name, sample)
  }
  const largest = largestOf([...samples.values()].map(({ reply }) => reply.data))
  const whole = new Set([...samples].flatMap(([name, one]) => (isCompleteBeside(one, largest) ? [name] : [])))
  const plausible = invariants.filter(({ kind }) => kind === 'plausibility')
  const checkable = plausible.filter((invariant) => invariant.whole.every((view) => whole.has(view)))
  const inspection = new Inspection(checkable, { latest: (now.getTime() + GRACE_MS) * 1000, examples: SHOWN })
  for (const [view, rows] of read) for (const row of rows) inspection.take(view, plain(row) as object)
  const found = new Map(inspection.findings().map((finding) => [finding.id, finding]))
  return plausible.map(({ id, title }) => {
    const { judged = 0, violations = 0, examples = [] } = found.get(id) ?? {}
    return {
      id,
      title,
      rows: judged,
      violations,
      examples: examples.map((example) => safe(exampleOf(example))),
    }
  })
}

const exampleOf = ({ view, row, problems }: Judgement): string =>
  `${view} ${show(row)}: ${problems.map((problem) => textOf(problem, (value) => show(value as Json))).join(' ')}`
