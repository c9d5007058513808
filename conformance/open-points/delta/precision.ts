import { counted } from '../../../base/text/counted.ts'
import { contract } from '../../../schemas/index.ts'
import { baseRows } from '../../samples/delta.ts'
import { instantOf } from '../../connection/values/instant.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { updatedAt } from '../../connection/values/updates.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

const { column } = contract.delta
const VIEW = 'v_quantities'

/** The row with the newest last update as it is printed. */
const newest = (rows: readonly JsonObject[]): JsonObject | undefined =>
  rows.reduce<JsonObject | undefined>(
    (best, row) => ((updatedAt(row) ?? -1n) > ((best && updatedAt(best)) ?? -1n) ? row : best),
    undefined,
  )

export const probe = defineProbe('delta.precision', {
  read: async (t: Target) => {
    const { rows, whole } = await baseRows(t, VIEW)
    const text = newest(rows)?.[column]
    if (!whole || typeof text !== 'string' || instantOf(text) === undefined) return undefined
    const sql = `SELECT id, ${column} FROM ${VIEW} WHERE ${column} > '${text}' LIMIT 100`
    const delta = await t.select(sql, ['id', column])
    return {
      newer: delta.rows.filter((row) => row[column] === text).length,
      inMillis: /\.\d{3}(?!\d)/.test(text),
    }
  },
  seen: ({ newer }) =>
    newer === 0
      ? `no row of ${VIEW} is newer than the newest printed time`
      : `${counted(newer, 'row')} of ${VIEW} newer than the time printed in it`,
  variants: {
    full: ({ newer }) => newer === 0,
    'printed-millis': ({ newer, inMillis }) => newer > 0 && inMillis,
  },
})
