import type pg from 'pg'
import { iso, type Micros } from '../../../../fixtures/time.ts'
import type { ChangeStep } from '../../../engine/change.ts'
import { DatabaseError } from '../database-error.ts'
import { copyInto } from '../load/copy-into.ts'
import type { Layout } from '../load/layout.ts'
import { inTransaction } from '../load/state.ts'

/** Which plant changes, from when to when. */
export interface Advance {
  /** The plant as `load_state` names it. */
  readonly key: string
  readonly from: Micros
  readonly to: Micros
}

/**
 * Applies the changes of a plant and the note of its new time in one transaction: either all are seen or none, so no client sees a row
 * without an earlier one.
 *
 * @throws DatabaseError if the plant is not at the time `from`
 */
export function applySteps(
  client: pg.Client,
  { sql }: Layout,
  { key, from, to }: Advance,
  steps: readonly ChangeStep[],
): Promise<void> {
  return inTransaction(client, async () => {
    const { rowCount } = await client.query(
      `UPDATE ${sql.tables}.load_state SET reached = $1 WHERE complete AND key = $2 AND reached = $3`,
      [iso(to), key, iso(from)],
    )
    if (rowCount === 0) throw new DatabaseError('Another program has changed the plant. It is read again.')
    for (const { sql: text, params, rows } of steps) {
      // the statements are those of the embedded engine
      const own = text.replaceAll('plant.', `${sql.tables}.`).replace("'/dev/blob'", 'STDIN')
      if (rows) await copyInto(client, own, [Buffer.from(rows)])
      else await client.query(own, params && [...params])
    }
  })
}
