import { type Mutant, reply, wrapper } from '../mutant.ts'
import {
  all,
  envelopeOf,
  every,
  joined,
  limited,
  matches,
  not,
  onResult,
  onSql,
  onValues,
  refuse,
  type Row,
  sqlOf,
  star,
} from './helpers.ts'

const LEFT = /\bleft\s+(outer\s+)?join\b/i
/** A join that selects columns by name. */
const namedJoin = all(joined, not(star))
const pair = all(joined, matches(/\bv_timeseries\b/i), matches(/\bv_bioprocesses\b/i))
/** The columns of the joined view in the documented pair, as a client names them. */
const partner = (row: Row) =>
  Object.keys(row).filter((key) => /^(b_|b\.)?(id|name|external_id|status)$/.test(key))
const partnerOf = (row: Row, other: Row | undefined): Row => ({
  ...row,
  ...Object.fromEntries(partner(row).map((key) => [key, other?.[key] ?? row[key]])),
})
const rewrite = (change: (row: Row, index: number, rows: Row[]) => Row, where = pair) =>
  onResult((rows) => rows.map(change), where)

export const joinMutants: readonly Mutant[] = [
  {
    id: 'blind-join-inner-when-named',
    breaks: 'REQ-SQL-7',
    defect: 'A LEFT JOIN with named columns runs as an inner join.',
    wrap: onSql(LEFT, 'JOIN', namedJoin),
  },
  {
    id: 'blind-join-inner-without-limit',
    breaks: 'REQ-SQL-7',
    defect: 'Without LIMIT, a LEFT JOIN runs as an inner join.',
    wrap: onSql(LEFT, 'JOIN', not(limited)),
  },
  {
    id: 'blind-join-right',
    breaks: 'REQ-SQL-7',
    defect: 'The two views change sides: a LEFT JOIN keeps the rows of the right view.',
    wrap: onSql(LEFT, 'RIGHT JOIN'),
  },
  {
    id: 'blind-join-missing-as-empty-text',
    breaks: 'REQ-SQL-7',
    defect: 'Columns without a partner are empty strings instead of null.',
    wrap: onValues((value) => value ?? '', joined),
  },
  {
    id: 'blind-join-missing-as-zero-id',
    breaks: 'REQ-SQL-7',
    defect: 'An id without a partner is 24 zeros.',
    wrap: onValues((value, key) => (/(^|_)id$/.test(key) ? (value ?? '0'.repeat(24)) : value), joined),
  },
  {
    id: 'blind-join-unmatched-to-first',
    breaks: 'REQ-SQL-7',
    defect: 'A row without a partner is joined with the first row of the right view.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const right = /\bjoin\s+(v_\w+)/i.exec(sqlOf(call))?.[1]
      const envelope = right && !pair(call) ? await envelopeOf(response) : undefined
      if (envelope?.status.state !== 'success') return response
      const first = await envelopeOf(await next({ ...call, statement: `SELECT * FROM ${right} LIMIT 1` }))
      const data = envelope.data.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [key, value ?? first?.data[0]?.[key] ?? null]),
        ),
      )
      return reply({ ...envelope, data })
    }),
  },
  {
    id: 'blind-join-full',
    breaks: 'REQ-JOIN-1',
    defect: 'A LEFT JOIN runs as a full join: bioprocesses without series add rows.',
    wrap: onSql(LEFT, 'FULL JOIN'),
  },
  {
    id: 'blind-join-partner-of-row-before',
    breaks: 'REQ-JOIN-1',
    defect: 'Each row of a join has the partner of the row before it.',
    wrap: rewrite((row, index, rows) => partnerOf(row, rows[index - 1])),
  },
  {
    id: 'blind-join-partner-cached-late',
    breaks: 'REQ-JOIN-1',
    defect: 'From the 201st row on, every row of a join has the partner of the 200th.',
    wrap: rewrite((row, index, rows) => (index < 200 ? row : partnerOf(row, rows[199]))),
  },
  {
    id: 'blind-join-first-partner-for-all',
    breaks: 'REQ-JOIN-1',
    defect: 'The partner of the first row is cached and used for all rows.',
    wrap: rewrite((row, _, rows) => partnerOf(row, rows[0])),
  },
  {
    id: 'blind-join-on-key-beginning',
    breaks: 'REQ-JOIN-1',
    defect: 'Keys of a join are compared by their first four characters.',
    wrap: onSql(
      /\bon\s+(\w+\.\w+)\s*=\s*(\w+\.\w+)/i,
      (_, left, right) => `ON substr(${left}, 1, 4) = substr(${right}, 1, 4)`,
      pair,
    ),
  },
  {
    id: 'blind-join-only-completed',
    breaks: 'REQ-JOIN-1',
    defect: 'Only completed runs are found as partners.',
    wrap: onSql(
      /\bjoin\s+v_bioprocesses\b/i,
      "JOIN (SELECT * FROM v_bioprocesses WHERE status = 'Completed')",
      pair,
    ),
  },
  {
    id: 'blind-join-partner-needs-parent',
    breaks: 'REQ-JOIN-1',
    defect: 'Runs without a parent are not found as partners, because the view joins their parents.',
    wrap: onSql(
      /\bjoin\s+v_bioprocesses\b/i,
      'JOIN (SELECT * FROM v_bioprocesses WHERE parent_id IS NOT NULL)',
      pair,
    ),
  },
  {
    id: 'blind-join-last-row-lost',
    breaks: 'REQ-JOIN-1',
    defect: 'The last row of a join with named columns is lost when its cursor is closed.',
    wrap: onResult((rows) => rows.slice(0, -1), all(namedJoin, not(limited))),
  },
  {
    id: 'blind-join-rows-twice',
    breaks: 'REQ-JOIN-1',
    defect: 'Rows of a run with lineage come twice, because the lineage is joined too.',
    wrap: onSql(
      /\bjoin\s+v_bioprocesses\b/i,
      'JOIN (SELECT * FROM v_bioprocesses UNION ALL SELECT * FROM v_bioprocesses WHERE lineage IS NOT NULL)',
      pair,
    ),
  },
  {
    id: 'blind-join-name-cut',
    breaks: 'REQ-JOIN-1',
    defect: 'Text of the joined view is cut to 20 characters.',
    wrap: onValues((value, key) => (key === 'name' ? String(value).slice(0, 20) : value), namedJoin),
  },
  {
    id: 'blind-join-partner-lost-sometimes',
    breaks: 'REQ-JOIN-1',
    defect: 'In each second join, the name of every tenth partner is null.',
    wrap: every(
      2,
      rewrite((row, index) => (index % 10 === 9 && 'name' in row ? { ...row, name: null } : row)),
    ),
  },
  {
    id: 'blind-join-named-refused',
    breaks: 'REQ-JOIN-1',
    defect: 'A join of the documented pair with named columns is refused.',
    wrap: refuse(all(pair, namedJoin)),
  },
]
