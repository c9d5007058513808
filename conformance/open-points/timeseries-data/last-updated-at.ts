import { unlessRefused } from '../../connection/not-exercised.ts'
import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

const VIEW = 'v_timeseries_data'
const COLUMN = 'last_updated_at'

export const probe = defineProbe('timeseries-data.last-updated-at', {
  read: async (t: Target) => {
    const all = await unlessRefused(t.selectAll(VIEW, `LIMIT ${t.rows(200)}`))
    if (all && all.rows.length > 0) {
      const present = all.rows.some((row) => COLUMN in row)
      return { present, where: `${present ? 'in' : 'not in'} SELECT *` }
    }
    const reply = await t.shared(`SELECT ${COLUMN} FROM ${VIEW} LIMIT 1`)
    if (!reply.ok && !(await t.exists(VIEW))) return undefined
    return { present: reply.ok, where: `SELECT ${COLUMN} was answered ${describeReply(reply)}` }
  },
  seen: ({ where }) => where,
  variants: {
    present: ({ present }) => present,
    absent: ({ present }) => !present,
  },
})
