import type { ViewName } from '../../../schemas/index.ts'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import type { Target } from '../../connection/target.ts'

export type Rows = Partial<Record<ViewName, Record<string, string | null>[]>>

const newest = (rows: Record<string, unknown>[] = []): string =>
  rows.map((row) => String(row['last_updated_at'])).reduce((one, other) => (one > other ? one : other), '')

/** A target with deltas and maxima. `write` may change its rows before each statement. */
export function written(rows: Rows, write: (sql: string, rows: Rows) => void): Target {
  return handmade({
    rows,
    answer: ({ sql }) => {
      write(sql, rows)
      const all = (name: string) => rows[name as ViewName] ?? []
      const [, maximum] = /^SELECT MAX\(\w+\) FROM (\w+)$/.exec(sql) ?? []
      if (maximum) return rowsReply([{ max: newest(all(maximum)) }])
      const [, name = '', date, other] =
        / FROM (\w+) WHERE \w+ > (?:'(.+?)'|\(SELECT MAX.+ (\w+)\))/.exec(sql) ?? []
      const bound = date ?? (other && newest(all(other)))
      if (bound === undefined) return undefined
      return rowsReply(all(name).filter((row) => String(row['last_updated_at']) > bound))
    },
  })
}
