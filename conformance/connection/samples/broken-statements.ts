import { LONG_AGO } from '../values/date-literal.ts'
import { joinOfAll } from './join.ts'
import { randomOf } from '../values/random.ts'
import type { Target } from '../target.ts'

/** The words that a rule of breaking makes of a statement, one for each place. */
type Rule = (words: readonly string[]) => string[][]

/** Puts one of some texts behind a word. */
const behind =
  (...texts: string[]): Rule =>
  (words) =>
    texts.flatMap((text) => [...words.keys()].map((at) => words.toSpliced(at + 1, 0, text)))

const RESERVED = /^(SELECT|FROM|WHERE|JOIN|ON)$/
const placesOf = (words: readonly string[], pattern: RegExp) =>
  [...words.keys()].filter((at) => pattern.test(words[at]!))

/** Rules whose statements no grammar of SQL reads. What some grammar reads is only observed. */
const rules = {
  'open-quote': (words) => [
    ...placesOf(words, /'$/).map((at) => words.with(at, words[at]!.replace(/'$/, '"'))),
    ...behind("'", '"')(words),
  ],
  parenthesis: behind('(', ')'),
  // PostgreSQL takes characters beyond ASCII for letters.
  'foreign-character': behind('\\', '}'),
  // Also without what stands between two of them. PostgreSQL reads SELECT without columns.
  'reserved-words': (words) =>
    placesOf(words, RESERVED).flatMap((at, n, all) => {
      const doubled = words.toSpliced(at + 1, 0, words[at]!)
      const next = all[n + 1]
      return words[at] === 'SELECT' || next === undefined || words[next] === 'SELECT'
        ? [doubled]
        : [doubled, words.toSpliced(at + 1, next - at - 1)]
    }),
  'doubled-clause': (words) =>
    placesOf(words, /^(FROM|WHERE)$/).map((at) => {
      const end = words.findIndex((word, n) => n > at && /^(WHERE|LIMIT|LEFT|[()])$/.test(word))
      return words.toSpliced(at, 0, ...words.slice(at, end < 0 ? undefined : end))
    }),
  // Without a comma, FROM or LEFT, a statement may mean something else; a word before a literal may be its type.
  'lost-word': (words) => [
    ...placesOf(words, /^(SELECT|WHERE|JOIN|ON|LIMIT|[=>])$/)
      .filter((at) => !words[at + 1]!.startsWith("'"))
      .map((at) => words.toSpliced(at, 1)),
    ...placesOf(words, /^[=>]$/).map((at) => words.toSpliced(at - 1, 1)),
  ],
  // DuckDB reads a comma after the last column.
  unfinished: (words) => placesOf(words, /^(FROM|WHERE|JOIN|ON|[=>(])$/).map((at) => words.slice(0, at + 1)),
} satisfies Record<string, Rule>

export type BrokenStatementRule = keyof typeof rules
export const brokenStatementRules = Object.keys(rules) as BrokenStatementRule[]

const TOKEN = /'[^']*'|[\w.]+|\S/g

/** Statements of every documented form. */
async function documented(t: Target): Promise<string[]> {
  const date = await t.dateLiteral(LONG_AGO)
  return [
    'SELECT id, name FROM v_bioprocesses LIMIT 1',
    `SELECT id FROM v_bioprocesses WHERE last_updated_at > ${date}`,
    (await joinOfAll(t)).sql,
    'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
    'SELECT * FROM v_quantities LIMIT 1',
  ]
}

/** Statements that no grammar of SQL reads, by one rule; the same ones for the same number. */
export async function brokenStatements(
  t: Target,
  rule: BrokenStatementRule,
  count: number,
): Promise<string[]> {
  const forms = await documented(t)
  const broken = forms.flatMap((sql) => rules[rule](sql.match(TOKEN)!).map((words) => words.join(' ')))
  return randomOf(brokenStatementRules.indexOf(rule) + 1).some(broken, count)
}
