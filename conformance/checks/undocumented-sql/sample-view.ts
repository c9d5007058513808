import { contract, type ViewName } from '../../../schemas/index.ts'
import { notExercised, type Finding } from '../check.ts'
import type { Json } from '../../connection/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { isComplete, whole } from '../../connection/samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { attempt, idsOf, type Attempt } from './attempt.ts'
import { marginOf, splittingDate } from '../../comparisons/splitting-date.ts'
import { updatedAt, updatesOf } from '../../connection/updates.ts'

const { column } = contract.delta

/** A small view, read whole, for trying undocumented SQL. */
export interface SampleView {
  name: ViewName
  /** All rows, with id and last update. */
  whole: Selection
  /** A filter by date literal (`> …`) that returns some but not all rows. */
  newer: { sql: string; ids: Json[] } | undefined
}

/** The first small view with two or more rows that can be read whole; undefined if there is none. Read once. */
export const sampleView = (t: Target): Promise<SampleView | undefined> =>
  t.once('sample view', async () => {
    for (const name of ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses'] as const) {
      const all = await unlessRefused(whole(t, name, ['id', column]))
      if (!all || all.rows.length < 2 || all.rows.some((row) => updatedAt(row) === undefined)) continue
      const date = splittingDate(updatesOf(all.rows), marginOf(all.rows))
      if (date === undefined) return { name, whole: all, newer: undefined }
      const bound = await t.dateLiteral(date)
      // The same statement as in delta.since-date, so that it is sent once.
      const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > ${bound} LIMIT 900`
      const delta = await unlessRefused(t.selectOnce(sql, ['id', column]))
      return {
        name,
        whole: all,
        newer:
          delta && (await isComplete(t, delta)) ? { sql: `> ${bound}`, ids: idsOf(delta.rows) } : undefined,
      }
    }
    return undefined
  })

export const NO_SAMPLE_VIEW = 'no view with two or more rows could be read whole'
const NO_SPLIT = 'no date splits the rows of a small view'

/** Tries undocumented SQL on the sample view. */
export const onSampleView =
  (
    kind: string,
    of: (view: SampleView) => Pick<Attempt, 'statements' | 'compare'> & { columns?: string[] },
  ) =>
  async (t: Target): Promise<Finding> => {
    const found = await sampleView(t)
    if (!found) return notExercised(NO_SAMPLE_VIEW)
    return attempt(t, { kind, columns: ['id'], bases: [found.whole], ...of(found) })
  }

/** Like {@link onSampleView}, with a filter that returns some but not all rows. */
export const onSplitView =
  (
    kind: string,
    of: (
      view: SampleView,
      newer: NonNullable<SampleView['newer']>,
    ) => Pick<Attempt, 'statements' | 'compare'>,
  ) =>
  async (t: Target): Promise<Finding> => {
    const found = await sampleView(t)
    const newer = found?.newer
    if (!newer) return notExercised(found ? NO_SPLIT : NO_SAMPLE_VIEW)
    return onSampleView(kind, (same) => of(same, newer))(t)
  }
