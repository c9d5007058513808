import { views, type DataQualityNote, type ViewName } from '../../schemas/index.ts'
import { Inspection, invariants, textOf, type Judgement } from '../../invariants/index.ts'
import { rowsOf } from '../open-points/reading.ts'
import { plain, show, type Json } from '../connection/json.ts'
import { isWhole, type Target } from '../connection/target.ts'

/** What clocks and zones may differ by before a change counts as one in the future, in ms. */
const GRACE_MS = 24 * 3_600_000

/** How many rows that do not meet an expectation are shown. */
const SHOWN = 3

/**
 * What a bioprocess engineer would say of the rows that the checks have read: the plausibility invariants over the
 * samples, without a further request. None of it fails anybody. An invariant that has to know a view in full is held
 * against nothing where only a part of it was read.
 *
 * @param now when the rows were read
 * @param safe takes out what a report must not hold
 */
export async function dataQualityOf(
  t: Target,
  now: Date,
  safe: (text: string) => string,
): Promise<DataQualityNote[]> {
  const read = new Map<ViewName, Json[]>()
  const whole = new Set<ViewName>()
  for (const { name } of views) {
    const sample = await t.sampleRead(name)
    if (!sample) continue
    read.set(name, await rowsOf(t, name))
    if (isWhole(sample)) whole.add(name)
  }
  const plausible = invariants.filter(({ kind }) => kind === 'plausibility')
  const able = plausible.filter((invariant) => invariant.whole.every((view) => whole.has(view)))
  const inspection = new Inspection(able, { latest: (now.getTime() + GRACE_MS) * 1000, examples: SHOWN })
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
