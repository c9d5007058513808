import { contract, type ViewName } from '../../../schemas/index.ts'
import { notExercised, type Finding } from '../check.ts'
import type { Json } from '../../connection/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { isWhole, type Selection, type Target } from '../../connection/target.ts'
import { beyond, idsOf, type Beyond } from './attempt.ts'
import { MARGIN, splittingDate } from '../../comparisons/splitting-date.ts'
import { updatedAt, updatesOf } from '../../connection/updates.ts'

const { column } = contract.delta

/** A small view, read whole, that statements beyond the documented kinds are tried on. */
export interface Ground {
  name: ViewName
  /** All of its rows, with id and last update. */
  whole: Selection
  /** A filter by date literal that some of its rows pass and others do not, as `> …`. */
  newer: { sql: string; ids: Json[] } | undefined
}

/** The ground for all of them, the same every time. Undefined where no view of two rows can be read whole. */
export const ground = (t: Target): Promise<Ground | undefined> =>
  t.once('ground', async () => {
    for (const name of ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses'] as const) {
      const whole = await unlessRefused(t.whole(name, ['id', column]))
      if (!whole || whole.rows.length < 2 || whole.rows.some((row) => updatedAt(row) === undefined)) continue
      const date = splittingDate(updatesOf(whole.rows), MARGIN)
      if (date === undefined) return { name, whole, newer: undefined }
      const bound = await t.dateLiteral(date)
      // The very statement of the delta since a date, which is judged there.
      const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > ${bound} LIMIT 900`
      const delta = await unlessRefused(t.selectOnce(sql, ['id', column]))
      return {
        name,
        whole,
        newer: delta && isWhole(delta) ? { sql: `> ${bound}`, ids: idsOf(delta.rows) } : undefined,
      }
    }
    return undefined
  })

export const NO_GROUND = 'no view of two rows or more could be read whole'
const NO_SPLIT = 'no date parts the rows of a small view'

/** A statement over the rows that all of these share. */
export const overGround =
  (kind: string, of: (ground: Ground) => Pick<Beyond, 'statements' | 'judge'> & { columns?: string[] }) =>
  async (t: Target): Promise<Finding> => {
    const found = await ground(t)
    if (!found) return notExercised(NO_GROUND)
    return beyond(t, { kind, columns: ['id'], bases: [found.whole], ...of(found) })
  }

/** The same with a filter that some rows pass. */
export const overSplit =
  (
    kind: string,
    of: (ground: Ground, newer: NonNullable<Ground['newer']>) => Pick<Beyond, 'statements' | 'judge'>,
  ) =>
  async (t: Target): Promise<Finding> => {
    const found = await ground(t)
    const newer = found?.newer
    if (!newer) return notExercised(found ? NO_SPLIT : NO_GROUND)
    return overGround(kind, (same) => of(same, newer))(t)
  }
