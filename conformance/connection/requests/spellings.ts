/** A change of a statement that leaves its meaning. It reads the usual spelling: keywords in capitals, single blanks. */
export interface Transformation {
  /** In words, such as "line breaks between clauses". */
  readonly name: string
  readonly change: (sql: string) => string
}

type Replacement = string | ((match: string, ...groups: string[]) => string)

const by = (name: string, pattern: RegExp, replacement: Replacement): Transformation => ({
  name,
  change: (sql) => sql.replace(pattern, replacement as string),
})

const KEYWORD = /\b(SELECT|FROM|WHERE|LIMIT|LEFT|OUTER|JOIN|ON|AS|MAX|DATE|TIMESTAMP)\b/g
const CLAUSE = String.raw`(?:FROM|WHERE|LIMIT|LEFT|ON)\b`
/** Not in a literal. */
const OUTSIDE = String.raw`(?=(?:[^']*'[^']*')*[^']*$)`
const COLUMN = /(?<!['\w])(?!v_)[a-z]\w+/g
const capitals = (word: string): string => word[0]! + word.slice(1).toLowerCase()
const inside = new RegExp(` (?!${CLAUSE})${OUTSIDE}`, 'gi')
const between = new RegExp(` (?=${CLAUSE})`, 'gi')

/** The columns of a single view behind an alias, or behind the name of the view. */
const qualified = (as: string, alias?: string) => (sql: string) =>
  sql.includes(' JOIN ')
    ? sql
    : sql.replace(/^SELECT (.*?) FROM (\w+)(.*)/, (_, list: string, view: string, rest: string) => {
        const of = alias ?? view
        const filter = rest.replace(/WHERE (?=\w+ >)/, `WHERE ${of}.`)
        return `SELECT ${list.replaceAll(/[\w*]+/g, `${of}.$&`)} FROM ${view}${as}${filter}`
      })

/** A join whose columns are behind the names of the views. */
function unaliased(sql: string): string {
  const [, left, l, right, r] =
    /FROM (v_\w+)(?: AS)? (\w+) LEFT JOIN (v_\w+)(?: AS)? (\w+) ON/.exec(sql) ?? []
  if (!left || left === right) return sql
  return sql
    .replaceAll(/\b(\w+)\./g, (name, of) => (of === l ? `${left}.` : of === r ? `${right}.` : name))
    .replaceAll(/(v_\w+)(?: AS)? \w+(?= (?:LEFT|ON)\b)/g, '$1')
}

/** Replaces the comparison of a filter. */
const comparison = (name: string, replacement: Replacement) =>
  by(name, /WHERE (\S+) > (.*?)(?= LIMIT \d+$|$)/, replacement)

/**
 * The usual spellings, each with its transformations in this order. Each changes words of one kind and leaves the others, since a
 * service may misread one that stands beside words in their usual spelling only.
 */
export const spellings: readonly (readonly Transformation[])[] = [
  [
    by('tabs and line breaks of Windows inside clauses', inside, '\r\n\t'),
    by('line breaks and several blanks between clauses', between, '\n  '),
    by('a line break before the start', /^/, '\n'),
    by('blanks behind the end', /$/, ' \n'),
  ],
  [
    by('columns in capitals', COLUMN, (word) => word.toUpperCase()),
    by('views in capitals', /\bv_\w+/g, (word) => word.toUpperCase()),
    by('no blanks around symbols', /\s*([,>=<()])\s*/g, '$1'),
    by('a final semicolon', /$/, ';'),
  ],
  [
    // Where quotes mean a text, only the values of a named column tell it.
    by('columns in double quotes', /^SELECT (?!\S*\*).*/, (sql) => sql.replaceAll(COLUMN, '"$&"')),
    by('keywords in small letters', KEYWORD, (word) => word.toLowerCase()),
    by('blanks around symbols', /\s*([,>=<])\s*/g, ' $1 '),
    by('blanks before the start', /^/, '  '),
  ],
  [
    { name: 'an alias of the view', change: qualified(' x', 'x') },
    by('aliases that begin alike', /\b[lr]\b/g, (alias) => (alias === 'l' ? 't' : 't2')),
    by('an alias in the subquery', /MAX\((\w+)\) FROM (v_\w+)/, 'MAX(y.$1) FROM $2 y'),
    by('a zero before the number', /LIMIT (?=\d+$)/, 'LIMIT 0'),
    by('SELECT ALL', /^SELECT /, 'SELECT ALL '),
  ],
  [
    { name: "names behind the view's name", change: (sql) => unaliased(qualified('')(sql)) },
    by('a comment between clauses', / (FROM|WHERE)\b/, " -- it's LIMIT 1\n$1"),
  ],
  [
    by('an alias of the view behind AS', /^(?!.* JOIN )(.*? FROM v_\w+)/, '$1 AS x'),
    by('aliases in capitals', /\b[lr]\b/g, (alias) => (alias === 'l' ? 'Left_Rows' : 'R2')),
    by('LEFT OUTER JOIN', /LEFT JOIN/, 'LEFT OUTER JOIN'),
    by('ON in parentheses', /ON (\S+ = \S+)/, 'ON ($1)'),
    comparison('a comparison in parentheses', 'WHERE ($1 > $2)'),
  ],
  [
    by(
      'the other way to write an alias',
      /(v_\w+)( AS)?(?= \w+ (LEFT|ON))/g,
      (_, view, as) => `${view}${as ? '' : ' AS'}`,
    ),
    by('ON with its sides swapped', /ON (\S+) = (\S+)/, 'ON $2 = $1'),
    comparison('a comparison with its sides swapped', 'WHERE $2 < $1'),
    by('keywords in mixed case', KEYWORD, capitals),
  ],
  // White space and comments. Without its tabs, LIMIT behind an alias is a part of it.
  [
    by('a tab for each blank', new RegExp(` ${OUTSIDE}`, 'g'), '\t'),
    by('LIMIT between tabs behind an alias', /(\sFROM\sv_\w+)\sLIMIT\s/, '$1 x\tLIMIT\t'),
    by('a quote in a block comment', /(?=\sFROM\b)/, " /* it's */"),
    by('a semicolon in a block comment', /(?=\s(?:WHERE|ON|LIMIT)\b)|$/, ' /* a; b */'),
    by('LIMIT in a block comment', /(?=(?:\sLIMIT\s\d+)?$)/, ' /* LIMIT 1 */'),
  ],
]

/** All transformations. */
export const transformations: readonly Transformation[] = spellings.flat()

/** A statement after some transformations. */
export const spell = (sql: string, changes: readonly Transformation[]): string =>
  changes.reduce((text, { change }) => change(text), sql)

/** The transformations of a spelling that change a statement. */
export const changing = (sql: string, spelling: readonly Transformation[]): Transformation[] =>
  spelling.filter(({ change }) => change(sql) !== sql)
