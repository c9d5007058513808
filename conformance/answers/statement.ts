import { contract, view as viewOf, type ViewName } from '../../schemas/index.ts'

/** A column of a view, under the name of the view's alias in the statement. */
export interface Item {
  alias: string
  column: string
}

/** A statement of a documented form, read far enough to say what its answer must satisfy. */
export interface Statement {
  /** One view, or the left and the right view of a LEFT JOIN, by alias. */
  sources: ReadonlyMap<string, ViewName>
  /** The named columns in order; undefined for all columns of all views. */
  items: readonly Item[] | undefined
  /** The columns that a join compares. */
  on?: readonly [Item, Item]
  /** Whether WHERE leaves out rows. */
  filtered: boolean
  /** The bound on the rows of the first view; undefined if there is none, or if WHERE does not say that it is that view. */
  after?: { literal: string } | { newestOf: ViewName }
  limit: number | undefined
}

const NAME = String.raw`[a-z_]\w*`
/** An alias, with or without AS. A keyword is none. */
const ALIAS = String.raw`(?:\s+(?:AS\s+)?(?!(?:LEFT|ON|WHERE|LIMIT)\b)(NAME))?`
const BOUND = String.raw`(?:(?:DATE\s+|TIMESTAMP\s+)?'(?<literal>[^']*)'|\(SELECT MAX\(last_updated_at\) FROM (?<newestOf>NAME)\))`
const FORM = new RegExp(
  [
    String.raw`^\s*SELECT\s+(?<list>[\w.*,\s]+?)\s+FROM\s+(?<left>NAME)${ALIAS.replace('(NAME)', '(?<leftAlias>NAME)')}`,
    String.raw`(?:\s+LEFT\s+(?:OUTER\s+)?JOIN\s+(?<right>NAME)${ALIAS.replace('(NAME)', '(?<rightAlias>NAME)')}`,
    String.raw`\s+ON\s+(?<one>NAME\.NAME)\s*=\s*(?<other>NAME\.NAME))?`,
    String.raw`(?<where>\s+WHERE\s+(?:(?<bounded>NAME)\.)?last_updated_at\s*>\s*${BOUND})?`,
    String.raw`(?:\s+LIMIT\s+(?<limit>\d+))?\s*;?\s*$`,
  ]
    .join('')
    .replaceAll('NAME', NAME),
  'i',
)

/** Whether a name is that of a documented view. */
export const isView = (name: string): name is ViewName => (contract.views as readonly string[]).includes(name)

/**
 * Reads a statement of a documented form: all or named columns of one view, or of a LEFT JOIN of two, with or without a
 * bound of last_updated_at and a LIMIT. Undefined for any other statement, also for unknown views and columns.
 */
export function readStatement(sql: string): Statement | undefined {
  const groups = FORM.exec(sql)?.groups
  if (!groups) return undefined
  const { list, left, leftAlias = left, right, rightAlias = right, one, other, where, limit } = groups
  const sources = new Map<string, ViewName>()
  for (const [alias, name] of [
    [leftAlias, left],
    [rightAlias, right],
  ] as const) {
    if (name === undefined) continue
    if (!isView(name) || sources.has(alias!)) return undefined
    sources.set(alias!, name)
  }
  const items = readItems(list!, sources)
  if (!items) return undefined
  const on = one === undefined ? undefined : readItems(`${one}, ${other}`, sources)
  const { bounded = sources.size === 1 ? leftAlias : undefined, literal, newestOf = '' } = groups
  if (bounded !== undefined && !sources.has(bounded)) return undefined
  const bound = literal !== undefined ? { literal } : isView(newestOf) ? { newestOf } : undefined
  return {
    sources,
    items: items === 'all' ? undefined : items,
    ...(Array.isArray(on) && { on: [on[0]!, on[1]!] as const }),
    filtered: where !== undefined,
    ...(bound && bounded === leftAlias && { after: bound }),
    limit: limit === undefined ? undefined : Number(limit),
  }
}

function readItems(list: string, sources: Statement['sources']): Item[] | 'all' | undefined {
  const parts = list.split(',').map((part) => part.trim())
  const aliases = [...sources.keys()]
  if (list.trim() === '*' || parts.join() === aliases.map((alias) => `${alias}.*`).join()) return 'all'
  const items: Item[] = []
  for (const part of parts) {
    const [, alias = aliases[0]!, column] = /^(?:(\w+)\.)?(\w+)$/.exec(part) ?? []
    const source = sources.get(alias)
    if (column === undefined || !source) return undefined
    if (!part.includes('.') && sources.size > 1) return undefined
    if (!viewOf(source).columns.some(({ name }) => name === column)) return undefined
    items.push({ alias, column })
  }
  return items
}
