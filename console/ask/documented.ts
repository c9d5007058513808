/**
 * The first part of a statement that the contract does not document, such as `ORDER BY`; undefined if it documents all.
 *
 * The contract documents all or named columns, LEFT JOIN with aliases, WHERE comparing last_updated_at with a literal or
 * the greatest of a view, and LIMIT. The gate of the server decides it with PostgreSQL's parser, which is megabytes of
 * WebAssembly; documented.test.ts compares the two.
 */
export function undocumentedPart(statement: string): string | undefined {
  const tokens = tokensOf(statement)
  if (tokens.length === 0) return undefined
  return new Reader(tokens).select()
}

const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+(?:\.\w+)*|[<>]=|<>|!=|::|->>?|\S/g

function tokensOf(statement: string): string[] {
  return (statement.match(token) ?? []).filter((part) => !/^(--|\/\*)/.test(part))
}

const name = /^(?:[a-z_]\w*(?:\.[a-z_]\w*)*|"[^"]+")$/i
const keyword =
  /^(?:select|from|where|left|right|inner|full|cross|outer|join|on|limit|group|order|having|union|except|intersect|offset|fetch|window|with|distinct|all|as|using|natural|case|and|or|not|in|null|for)$/i

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  select(): string | undefined {
    if (!this.#take('select')) return this.#rest()
    if (!this.#list() || !this.#is('from')) return 'anything but columns in the select list'
    if (!this.#take('from') || !this.#source()) return 'this FROM clause'
    while (this.#is('left') || this.#is('join')) if (!this.#join()) return 'this join'
    if (this.#take('where') && !this.#filter()) return 'this WHERE clause'
    if (this.#take('limit') && !this.#takeMatch(/^\d+$/)) return 'this LIMIT'
    this.#take(';')
    return this.#at === this.#tokens.length ? undefined : this.#rest()
  }

  /** The clause at which the documented part ends. */
  #rest(): string {
    const [first, second] = this.#tokens.slice(this.#at, this.#at + 2)
    const word = first!.toUpperCase()
    return /^(GROUP|ORDER)$/.test(word) ? `${word} ${second?.toUpperCase() ?? ''}`.trim() : word
  }

  #list(): boolean {
    do if (!this.#take('*') && !this.#column(true)) return false
    while (this.#take(','))
    return true
  }

  /** `name`, `t.name`, or in a list `t.*`. */
  #column(orAll = false): boolean {
    const word = this.#tokens[this.#at] ?? ''
    if (!name.test(word) || keyword.test(word)) return false
    this.#at++
    while (this.#take('.')) {
      if (orAll && this.#take('*')) return true
      if (!this.#takeMatch(name)) return false
    }
    return true
  }

  #source(): boolean {
    if (!this.#column()) return false
    this.#take('as')
    const word = this.#tokens[this.#at] ?? ''
    if (name.test(word) && !keyword.test(word)) this.#at++
    return true
  }

  #join(): boolean {
    if (!this.#take('left')) return false
    this.#take('outer')
    if (!this.#take('join') || !this.#source() || !this.#take('on')) return false
    const isParenthesised = this.#take('(')
    const isEquality = this.#column() && this.#take('=') && this.#column()
    return isEquality && (!isParenthesised || this.#take(')'))
  }

  #filter(): boolean {
    const isParenthesised = this.#take('(')
    const column = this.#tokens[this.#at] ?? ''
    if (!/(?:^|\.)"?last_updated_at"?$/i.test(column) || !this.#column()) return false
    if (!this.#takeMatch(/^(?:[<>]=?|=)$/) || !this.#bound()) return false
    return !isParenthesised || this.#take(')')
  }

  /** A literal, with or without a type, or `(SELECT MAX(last_updated_at) FROM view)`. */
  #bound(): boolean {
    if (this.#take('(')) {
      const isGreatest =
        this.#take('select') &&
        this.#take('max') &&
        this.#take('(') &&
        this.#takeMatch(/(?:^|\.)"?last_updated_at"?$/i) &&
        this.#take(')') &&
        this.#take('from') &&
        this.#source()
      return isGreatest && this.#take(')')
    }
    this.#takeMatch(/^(?:timestamp|timestamptz|date)$/i)
    if (!this.#takeMatch(/^'/)) return false
    return !this.#take('::') ? true : this.#takeMatch(name)
  }

  #is(word: string): boolean {
    return this.#tokens[this.#at]?.toLowerCase() === word
  }

  #take(word: string): boolean {
    const is = this.#is(word)
    if (is) this.#at++
    return is
  }

  #takeMatch(pattern: RegExp): boolean {
    const is = pattern.test(this.#tokens[this.#at] ?? '')
    if (is) this.#at++
    return is
  }
}
