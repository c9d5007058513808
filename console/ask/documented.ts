/** A pattern of SQL, in which a space stands for any space between words, and `~` for space that can be missing. */
const sql = (text: string) =>
  new RegExp(text.replaceAll(' ', String.raw`\s+`).replaceAll('~', String.raw`\s*`), 'iy')

const keyword =
  'select|from|where|left|right|inner|full|cross|outer|join|on|limit|group|order|having|union|except|intersect|offset|fetch|window|with|distinct|all|as|using|natural|case|and|or|not|in|null|for'
const name = String.raw`(?:(?!(?:${keyword})\b)[a-z_]\w*|"[^"]+")`
const column = String.raw`${name}(?:~\.~${name})*`
const item = String.raw`(?:\*|${column}(?:~\.~\*)?)`
const source = String.raw`${column}(?: (?:as )?${name})?`
const updated = String.raw`(?:${name}~\.~)?"?last_updated_at"?`
const literal = String.raw`(?:(?:timestamp|timestamptz|date)~)?'(?:[^']|'')*'(?:~::~${name})?`
const greatest = String.raw`\(~select max~\(~${updated}~\)~from ${source}~\)`
const filter = String.raw`${updated}~[<>]?=?~(?:${literal}|${greatest})`
const equality = String.raw`${column}~=~${column}`

/** The clauses that the contract documents, and how each is called where something else stands in it. */
const clauses = [
  ['select', String.raw`${item}(?:~,~${item})*~(?=from\b)`, 'anything but columns in the select list'],
  ['from', source, 'this FROM clause'],
  [
    'left|join',
    String.raw`(?<=left) (?:outer )?join ${source} on(?: |(?=\())(?:\(~${equality}~\)|${equality})`,
    'this join',
  ],
  ['where', String.raw`(?:\(~${filter}~\)|${filter})`, 'this WHERE clause'],
  ['limit', String.raw`\d+`, 'this LIMIT'],
].map(([word, rest, what]) => [sql(`~(?:${word})\\b`), sql(`~${rest}`), what!] as const)

/**
 * The first part of a statement that the contract does not document, such as `ORDER BY`; undefined if it documents all.
 *
 * The contract documents all or named columns, LEFT JOIN with aliases, WHERE comparing last_updated_at with a literal or
 * the greatest of a view, and LIMIT. The gate of the server decides it with PostgreSQL's parser, which is megabytes of
 * WebAssembly; documented.test.ts compares the two.
 */
export function undocumentedPart(statement: string): string | undefined {
  const text = statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|('(?:[^']|'')*')/g, '$1 ').trim()
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isThere = pattern.test(text)
    if (isThere) at = pattern.lastIndex
    return isThere
  }
  for (const [word, rest, what] of clauses) {
    if (text !== '' && at === 0 && !/^select\b/i.test(text)) break
    while (take(word)) {
      if (!take(rest)) return what
      if (what !== 'this join') break
    }
  }
  take(sql('~;'))
  const [first, second] = text.slice(at).trim().toUpperCase().split(/\s+/)
  if (!first) return undefined
  return /^(GROUP|ORDER)$/.test(first) ? `${first} ${second ?? ''}`.trim() : first
}
