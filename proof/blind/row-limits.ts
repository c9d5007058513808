import { type Mutant, onStatement } from '../mutant.ts'
import { all, filtered, joined, limited, matches, onSql, remembering, sqlOf } from './helpers.ts'

const LIMIT = /\blimit\s+(\d+)/i
const limit = (rewrite: (count: number) => string, where = limited) =>
  onSql(LIMIT, (_, count) => rewrite(Number(count)), where)

export const rowLimitMutants: readonly Mutant[] = [
  {
    id: 'blind-limit-plus-one',
    breaks: 'REQ-SQL-3',
    defect: 'The extra row that shows whether there are more is not removed.',
    wrap: limit((count) => `LIMIT ${count + 1}`),
  },
  {
    id: 'blind-limit-three-shards',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT applies to each of three shards, so three times as many rows return.',
    wrap: limit((count) => `LIMIT ${count * 3}`),
  },
  {
    id: 'blind-limit-ignored-with-where',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT is ignored if there is a WHERE.',
    wrap: limit(() => '', all(limited, filtered)),
  },
  {
    id: 'blind-limit-ignored-in-join',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT is ignored in a join.',
    wrap: limit(() => '', all(limited, joined)),
  },
  {
    id: 'blind-limit-page-of-ten',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT is rounded up to a full page of ten rows.',
    wrap: limit((count) => `LIMIT ${Math.ceil(count / 10) * 10}`),
  },
  {
    id: 'blind-limit-as-offset',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n skips n rows instead of returning them.',
    wrap: limit((count) => `OFFSET ${count}`),
  },
  {
    id: 'blind-limit-not-in-cache-key',
    breaks: 'REQ-SQL-3',
    defect: 'A cached result is reused for a smaller LIMIT without being cut.',
    wrap: remembering(
      () => new Map<string, number>(),
      async (largest, call, next) => {
        const count = Number(LIMIT.exec(sqlOf(call))?.[1] ?? Number.NaN)
        if (Number.isNaN(count)) return next(call)
        const key = sqlOf(call).replace(LIMIT, '')
        largest.set(key, Math.max(count, largest.get(key) ?? 0))
        return next({ ...call, statement: sqlOf(call).replace(LIMIT, `LIMIT ${largest.get(key)}`) })
      },
    ),
  },
  {
    id: 'blind-limit-one-unlimited',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT 1 means no limit, because one is the default page number.',
    wrap: onStatement((sql) => sql.replace(/\blimit\s+1\b/i, '')),
  },
  {
    id: 'blind-limit-minus-one',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n returns n - 1 rows if n is greater than one, because the count starts at zero.',
    wrap: limit((count) => `LIMIT ${count > 1 ? count - 1 : count}`, matches(LIMIT)),
  },
]
