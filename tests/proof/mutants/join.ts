import { errorReply, onEnvelope, onRows, onStatement, wrapper, type Mutant } from '../mutant.ts'

const leftJoin = /\bleft(\s+outer)?\s+join\b/i
/** `ON a.x = b.y` */
const condition = /\bon\s+(\w+)\.(\w+)\s*=\s*(\w+)\.(\w+)/i

const onCondition = (rewrite: (left: string, x: string, right: string, y: string) => string) =>
  onStatement((sql) =>
    sql.replace(condition, (_, left: string, x: string, right: string, y: string) =>
      rewrite(left, x, right, y),
    ),
  )

type Row = Record<string, unknown>

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const emptied = (row: Row, rewrite: (value: unknown) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rewrite(value)]))

/** Rewrites the named columns of the right view in every row of a join. */
const onPartners = (rewrite: (partner: Row, index: number) => Row): Mutant['wrap'] =>
  onEnvelope(({ data, status }, { statement = '' }) => {
    const [, list = '', alias = ''] = /^select (.*?) from .* join \w+ (?:as )?(\w+)/i.exec(statement) ?? []
    const names = [...list.matchAll(/(\w+)\.(\w+)/g)].flatMap(([, of, name]) => (of === alias ? [name!] : []))
    const partner = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name]]))
    const rewritten = data.map((row, index) => ({ ...row, ...rewrite(partner(row), index) }))
    return { status, data: names.length > 0 ? rewritten : data }
  })

/** Defects of LEFT JOIN. */
export const joinMutants: Mutant[] = [
  {
    id: 'join-refused',
    breaks: 'REQ-SQL-6',
    defect: 'LEFT JOIN is refused.',
    wrap: wrapper(async (call, next) =>
      leftJoin.test(call.statement ?? '') ? errorReply('Error executing statement') : next(call),
    ),
  },
  {
    id: 'join-inner',
    breaks: 'REQ-SQL-7',
    defect: 'LEFT JOIN works as INNER JOIN.',
    wrap: onStatement((sql) => sql.replace(leftJoin, 'INNER JOIN')),
  },
  {
    id: 'join-one-partner',
    breaks: 'REQ-JOIN-1',
    defect: 'A left row is joined with one of its partners only.',
    wrap: onStatement((sql) =>
      sql.replace(
        new RegExp(`\\bjoin\\s+(v_\\w+)(\\s+(?:as\\s+)?(\\w+)\\s+${condition.source})`, 'i'),
        (_, view: string, rest: string, alias: string, one: string, x: string, _other, y: string) =>
          `JOIN (SELECT DISTINCT ON (${one === alias ? x : y}) * FROM ${view})${rest}`,
      ),
    ),
  },
  {
    id: 'join-partner-invented',
    breaks: 'REQ-SQL-7',
    defect: 'A left row without a partner is joined with a row of the right view.',
    wrap: onStatement((sql) =>
      sql.replace(
        new RegExp(`${leftJoin.source}\\s+(v_\\w+)\\s+(\\w+)\\s+${condition.source}`, 'i'),
        (all, _outer, view: string, alias: string, left: string, x: string, _right, y: string) =>
          `${all} OR (${alias}.${y} = (SELECT MIN(${y}) FROM ${view}) ` +
          `AND ${left}.${x} NOT IN (SELECT ${y} FROM ${view}))`,
      ),
    ),
  },
  {
    id: 'join-cross',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN pairs every row with every row.',
    wrap: onCondition(() => 'ON 1 = 1'),
  },
  {
    id: 'join-wrong-key',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN always compares the id of the left view.',
    wrap: onCondition((left, _, right, y) => `ON ${left}.id = ${right}.${y}`),
  },
  {
    id: 'join-unequal',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN pairs rows whose keys differ.',
    wrap: onCondition((left, x, right, y) => `ON ${left}.${x} <> ${right}.${y}`),
  },
  {
    id: 'join-loses-row',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN loses the last of several rows.',
    wrap: onEnvelope((envelope, { statement = '' }) =>
      leftJoin.test(statement) && envelope.data.length > 1
        ? { ...envelope, data: envelope.data.slice(0, -1) }
        : envelope,
    ),
  },
  {
    id: 'join-refused-without-limit',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN is refused without LIMIT.',
    wrap: wrapper(async (call, next) =>
      leftJoin.test(call.statement ?? '') && !/\blimit\b/i.test(call.statement!)
        ? errorReply('Error executing statement')
        : next(call),
    ),
  },
  {
    id: 'join-without-left',
    breaks: 'REQ-SQL-6',
    defect: 'SELECT * of a join has only the columns of the right view.',
    wrap: onStatement((sql) =>
      sql.replace(/^SELECT \*(?= FROM \w+ (\w+) LEFT JOIN \w+ (\w+))/i, 'SELECT $2.*'),
    ),
  },
  {
    id: 'join-without-right',
    breaks: 'REQ-SQL-6',
    defect: 'SELECT * of a join has only the columns of the left view.',
    wrap: onStatement((sql) =>
      sql.replace(/^SELECT \*(?= FROM \w+ (\w+) LEFT JOIN \w+ (\w+))/i, 'SELECT $1.*'),
    ),
  },
  {
    id: 'join-truncates-text',
    breaks: 'REQ-JOIN-1',
    defect: 'A join truncates texts of its right view to 8 characters.',
    wrap: onRows((row, { statement = '' }) =>
      /\bjoin v_bioprocesses\b/i.test(statement) && typeof row['name'] === 'string'
        ? { ...row, name: row['name'].slice(0, 8) }
        : row,
    ),
  },
  {
    id: 'join-loses-late-partners',
    breaks: 'REQ-JOIN-1',
    defect: 'A join finds no partner for rows behind the 600th.',
    wrap: onPartners((partner, index) => (index < 600 ? partner : emptied(partner, () => null))),
  },
  {
    id: 'join-repeated-object-lost',
    breaks: 'REQ-JOIN-1',
    defect: 'An object of a partner is empty in every row of a join but its first.',
    wrap: (fetch) => {
      const known = new Set<string>()
      const once = (value: unknown) => {
        const text = JSON.stringify(value)
        if (value === null || typeof value !== 'object' || known.has(text))
          return isObject(value) ? {} : value
        known.add(text)
        return value
      }
      return onPartners((partner, index) => {
        if (index === 0) known.clear()
        return emptied(partner, once)
      })(fetch)
    },
  },
  {
    id: 'join-fills-missing-partner',
    breaks: 'REQ-JOIN-1',
    defect: 'A join has false and [] instead of null for the flags and lists of a missing partner.',
    wrap: onPartners((partner) => {
      const isMissing = Object.values(partner).every((value) => value === null)
      const filled = { is_timeseries: false, log_scale: false, alternative_names: [] }
      const own = Object.entries(filled).filter(([key]) => key in partner)
      return isMissing ? { ...partner, ...Object.fromEntries(own) } : partner
    }),
  },
  {
    id: 'join-subquery-ignored',
    breaks: 'REQ-JOIN-1',
    defect: 'A join ignores a WHERE with a subquery.',
    wrap: onStatement((sql) => (leftJoin.test(sql) ? sql.replace(/\bwhere\b.*\(.*\)/i, '') : sql)),
  },
  {
    id: 'join-with-where-inner',
    breaks: 'REQ-JOIN-1',
    defect: 'LEFT JOIN with WHERE works as INNER JOIN.',
    wrap: onStatement((sql) => (/\bwhere\b/i.test(sql) ? sql.replace(leftJoin, 'INNER JOIN') : sql)),
  },
  {
    id: 'join-without-partner-unfiltered',
    breaks: 'REQ-JOIN-1',
    defect: 'WHERE of a join keeps every row without a partner.',
    wrap: onStatement((sql) => {
      const [, , , alias, column] = leftJoin.test(sql) ? (condition.exec(sql) ?? []) : []
      return alias === undefined
        ? sql
        : sql.replace(/\bwhere (.*)$/i, `WHERE $1 OR ${alias}.${column} IS NULL`)
    }),
  },
  {
    id: 'join-right-column-first',
    breaks: 'REQ-JOIN-1',
    defect: 'An ON condition that names the right view first pairs no rows.',
    wrap: onStatement((sql) => {
      const alias = /\bjoin\s+v_\w+\s+(?:as\s+)?(\w+)\s+on\b/i.exec(sql)?.[1]
      return sql.replace(condition, (on, first: string) => (first === alias ? 'ON 1 = 0' : on))
    }),
  },
  {
    id: 'points-doubled-in-joins',
    breaks: 'REQ-JOIN-1',
    defect: 'A join of points has its 300th row twice, instead of the row after it.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => ({
      status,
      data: /\bfrom v_timeseries_data\b.*\bjoin\b/i.test(statement)
        ? data.map((row, index) => (index === 300 ? data[299] : row))
        : data,
    })),
  },
]
