/** Quoted texts and names, dollar-quoted texts and comments: in these, a semicolon ends no statement. */
const OPAQUE =
  /\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$])(\$(?:[a-z_]\w*)?\$)[\s\S]*?(?:\1|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gi

/** The number of statements in a text; a closing semicolon adds none. */
export const countStatements = (text: string): number =>
  text
    .replaceAll(OPAQUE, (part) => (/^(--|\/\*)/.test(part) ? ' ' : 'x'))
    .split(';')
    .filter((part) => part.trim() !== '').length

/** A statement without comments and with single spaces outside of quotes, for comparing statements. */
export const plainStatement = (text: string): string =>
  text
    .replaceAll(SPACE, (_, quoted?: string) => quoted ?? ' ')
    .replace(/(?<![ ;])[ ;]+$/, '')
    .trim()

/** Quoted texts and names, or spaces and comments in a row. */
const SPACE = /('(?:[^']|'')*'|"(?:[^"]|"")*")|(?:--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s)+/g

/** A read of the changes of one view, as far as a statement shows it. */
export interface ChangesRead {
  readonly view: string
  /** The lower bound of last_updated_at, as printed; absent if the statement has none. */
  readonly bound?: string
  /** How the bound compares: a row comparison `(last_updated_at, id) > (...)` continues a page. */
  readonly comparison?: '>' | '>=' | 'row'
  /** The upper bound of last_updated_at, as printed, such as that of a chunk. */
  readonly upper?: string
  readonly limit?: number
  /** Whether a full page ends where the next one begins: not with the oldest of the newest changes. */
  readonly isOrdered: boolean
  /** The values that other columns must have: loads of different runs go on independently. */
  readonly filter: string
}

const NAME = String.raw`(?:\w+\.)?"?last_updated_at"?`
const LITERAL = String.raw`(?:DATE|TIMESTAMPTZ|TIMESTAMP)? ?'([^']*)'`
const SIMPLE = new RegExp(String.raw`${NAME} ?(>=|>) ?${LITERAL}`, 'i')
const UPPER = new RegExp(String.raw`${NAME} ?<=? ?${LITERAL}`, 'i')
const ROW = new RegExp(String.raw`\( ?${NAME} ?,[^)]*\) ?>=? ?\( ?${LITERAL}`, 'i')
/** The same, spelled `last_updated_at > 'x' OR (last_updated_at = 'x' AND id > 'y')`. */
const SPELLED_ROW = new RegExp(String.raw`${NAME} ?> ?${LITERAL} OR \(?${NAME} ?= ?${LITERAL} AND `, 'i')
const ALTERNATIVE = new RegExp(String.raw`\bor\b|\bnot ?(?:\(|${NAME})`, 'i')
const TIME = String.raw`(?:(?:DATE|TIMESTAMPTZ|TIMESTAMP) ?)?'[^']*'`
const BETWEEN = new RegExp(String.raw`(?<name>${NAME}) between (?<low>${TIME}) and (?<high>${TIME})`, 'gi')
const REVERSED = new RegExp(String.raw`(?<literal>${TIME}) ?(?<sign>[<>]=?) ?(?<name>${NAME})`, 'gi')
const EQUAL = /(?!last_updated_at)\b(\w+)"? ?= ?('(?:[^']|'')*')/gi
const QUOTED = /'(?:[^']|'')*'/g

/** Reads a statement over one view; undefined for a join, a subquery, an aggregate or anything else. */
export function changesRead(statement: string): ChangesRead | undefined {
  const text = plainStatement(statement)
    .replaceAll(BETWEEN, '$<name> >= $<low> AND $<name> <= $<high>')
    .replaceAll(REVERSED, (...parts) => {
      const { literal, sign, name } = parts.at(-1) as Record<string, string>
      return `${name} ${sign!.replace(/[<>]/, (one) => (one === '<' ? '>' : '<'))} ${literal}`
    })
  const views = [...text.matchAll(/\b(?:from|join) "?(v_\w+)"?/gi)].map(([, view]) => view!.toLowerCase())
  if (
    views.length !== 1 ||
    !/^select\b/i.test(text) ||
    /\b(group by|distinct|(max|min|count|sum|avg) ?\()/i.test(text)
  )
    return undefined
  const row = ROW.exec(text) ?? SPELLED_ROW.exec(text)
  // one of several alternatives is no bound
  if (!row && ALTERNATIVE.test(text.replaceAll(QUOTED, "''"))) return undefined
  const simple = row ? null : SIMPLE.exec(text)
  const upper = UPPER.exec(text)?.[1]
  const limit = /\blimit (\d+)/i.exec(text)?.[1]
  const order = new RegExp(String.raw`\border by ${NAME}( desc)?`, 'i').exec(text)
  return {
    view: views[0]!,
    filter: [...text.matchAll(EQUAL)].map(([, column, value]) => `${column!.toLowerCase()}=${value}`).join(),
    isOrdered: order !== null && !(order[1] && simple),
    ...(row && { bound: row[1]!, comparison: 'row' as const }),
    ...(simple && { bound: simple[2]!, comparison: simple[1] as '>' | '>=' }),
    ...(upper !== undefined && { upper }),
    ...(limit !== undefined && { limit: Number(limit) }),
  }
}
