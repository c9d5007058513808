/** A constant as a statement writes it. */
export interface Literal {
  readonly kind: 'text' | 'int4' | 'int8' | 'numeric'
  /** The value as PostgreSQL's input functions read it: without quotes. */
  readonly value: string
  /** Its place in the statement. */
  readonly start: number
  readonly end: number
}

/** A statement without its literals, and the literals. */
export interface Template {
  /**
   * Equal for two statements if they differ in nothing but the values of literals of the same kind. The number after LIMIT
   * is not a literal: it decides how rows are sent.
   */
  readonly key: string
  readonly literals: readonly Literal[]
}

/** Longer statements are not worth a place in memory. */
const maxLength = 4096

/** Stands for a literal in a key. No statement with a template contains it. */
const gap = '\u0001'

/**
 * A word, a text, a number, or another character. A statement with anything in which a literal could be mistaken has no
 * template: comments, quoted names, dollar quotes, backslashes, texts with a prefix (`E''`) or continued by another text,
 * numbers that begin or end with a point or have a suffix, and characters outside of ASCII.
 */
const token =
  /[a-z_]\w*(?!['\w$])|'((?:[ -&(-[\]-~]|'')*)'(?!\s*')|(?<!\.)(\d+(?:\.\d+)?)(?![\w.$'])|[ \t\n\r(),.*=<>!+|~%^:-]/iy

const isSpace = /^\s$/

/** Finds the literals of a plain statement; undefined for any other. */
export function templateOf(text: string): Template | undefined {
  if (text.length > maxLength || text.includes('--')) return undefined
  const literals: Literal[] = []
  let key = ''
  let copied = 0
  let end = 0
  let word = ''
  while (end < text.length) {
    const start = end
    token.lastIndex = start
    const match = token.exec(text)
    if (match === null) return undefined
    end = token.lastIndex
    const [all, quoted, number] = match
    if (quoted === undefined && number === undefined) {
      if (!isSpace.test(all)) word = all
      continue
    }
    if (number !== undefined && word.toLowerCase() === 'limit') continue
    const kind = number === undefined ? 'text' : kindOf(number)
    literals.push({ kind, value: number ?? quoted!.replaceAll("''", "'"), start, end })
    key += text.slice(copied, start) + gap + kind
    copied = end
  }
  return { key: key + text.slice(copied), literals }
}

/** The type that PostgreSQL gives to a number. Numbers with too many digits for an int8 are numeric. */
function kindOf(number: string): Literal['kind'] {
  if (number.includes('.')) return 'numeric'
  const value = BigInt(number)
  if (value <= 2_147_483_647n) return 'int4'
  return value <= 9_223_372_036_854_775_807n ? 'int8' : 'numeric'
}
