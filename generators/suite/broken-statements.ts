/**
 * Writes conformance/generated/broken-statements.ts: documented statements with one error, which the grammars of PostgreSQL, SQLite,
 * MariaDB and DuckDB all refuse to parse. `npm run generate` does not run it, because it needs what the package does not:
 *
 *     npm install --no-save @duckdb/node-api
 *     mariadb-install-db --datadir=DIR
 *     mariadbd --datadir=DIR --socket=DIR/socket --skip-networking --skip-grant-tables &
 *     npx tsx generators/suite/broken-statements.ts DIR/socket
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parse } from 'libpg-query'
import initSqlJs from 'sql.js'
import { LONG_AGO } from '../../conformance/connection/values/date-literal.ts'
import { randomOf, SEED } from '../../conformance/connection/values/random.ts'
import { dateLiterals } from '../../schemas/reading/date-literals.ts'
import { views } from '../../schemas/index.ts'

const LITERAL = `'${LONG_AGO}'`
/** A statement of every documented form. */
const forms = [
  'SELECT id, name FROM v_bioprocesses LIMIT 1',
  `SELECT id FROM v_bioprocesses WHERE last_updated_at > ${LITERAL}`,
  'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id LIMIT 5',
  'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
  'SELECT * FROM v_quantities LIMIT 1',
]
const TOKEN = /'[^']*'|[\w.]+|\S/g
const CLAUSE = /^(SELECT|FROM|WHERE|LEFT|ON|LIMIT)$/
const RESERVED = /^(SELECT|FROM|WHERE|JOIN|ON)$/

/** The words that a rule makes of a statement, one list for each place. */
type Rule = (words: readonly string[]) => string[][]

const placesOf = (words: readonly string[], pattern: RegExp) =>
  [...words.keys()].filter((at) => pattern.test(words[at]!))

/** Puts one of some texts behind the statement, behind each clause before, and behind each other word. */
const behind = (...texts: string[]): Rule[] =>
  [
    (at: number, words: readonly string[]) => at === words.length - 1,
    (at: number, words: readonly string[]) => CLAUSE.test(words[at + 1] ?? ''),
    (at: number, words: readonly string[]) => at < words.length - 1 && !CLAUSE.test(words[at + 1]!),
  ].map(
    (isPlace) => (words) =>
      [...words.keys()]
        .filter((at) => isPlace(at, words))
        .flatMap((at) => texts.map((text) => words.toSpliced(at + 1, 0, text))),
  )

/** The clauses outside of parentheses. */
function clausesOf(words: readonly string[]): string[][] {
  let depth = 0
  const clauses: string[][] = []
  for (const word of words) {
    if (depth === 0 && CLAUSE.test(word)) clauses.push([])
    clauses.at(-1)!.push(word)
    depth += word === '(' ? 1 : word === ')' ? -1 : 0
  }
  return clauses
}

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))

/** How statements are broken, in parts. A check of each name sends some of each part. */
const rules: Record<string, Rule[]> = {
  'open-quote': behind("'", '"', "'''"),
  'quotes-of-literal': [
    (words) =>
      placesOf(words, /'$/).flatMap((at) =>
        ["'' ''", `' "`, `" '`, '‘ ’', '“ ”', '` `', "' ", '" ', " '"].map((quotes) =>
          words.with(at, quotes.replace(' ', LONG_AGO)),
        ),
      ),
  ],
  parenthesis: behind('(', ')'),
  'foreign-character': behind(
    '\\',
    '}',
    '{',
    '[',
    ']',
    '$',
    '`',
    '@',
    '!',
    '~',
    '^',
    '&',
    '|',
    '\u201c',
    '\u2019',
  ),
  // Also without what stands between two of them.
  'reserved-words': [
    (words) =>
      placesOf(words, RESERVED).flatMap((at, n, all) => [
        words.toSpliced(at + 1, 0, words[at]!),
        ...(all[n + 1] === undefined ? [] : [words.toSpliced(at + 1, all[n + 1]! - at - 1)]),
      ]),
  ],
  'doubled-clause': [
    (words) =>
      clausesOf(words).flatMap((clause, at, all) => [
        all.toSpliced(at, 0, clause).flat(),
        [...words, ...clause],
      ]),
  ],
  'clause-order': [(words) => permutations(clausesOf(words)).map((clauses) => clauses.flat())],
  'lost-word': [(words) => [...words.keys()].map((at) => words.toSpliced(at, 1))],
  unfinished: [(words) => [...words.keys()].map((at) => words.slice(0, at))],
  'second-word': behind('oops', '"oops" oops', 'oops.'),
  // Behind what is a whole statement, if it is one.
  'text-behind-semicolon': [
    (words) =>
      clausesOf(words).flatMap((_, at, all) =>
        ['oops', 'oops (', 'LIMIT 1', ')', "'oops"].map((text) =>
          all.map((clause, n) => (n === at ? [...clause, ';', text] : clause)).flat(),
        ),
      ),
  ],
  literal: behind("'oops'", '7', "7 'oops'", '1.5'),
  comma: behind(',', ', ,'),
  operator: behind('=', '>', '<', '/', '.', '::', '||', '=>'),
}

type Refuses = (statements: readonly string[]) => Promise<boolean[]>

const inTurn =
  (refuses: (sql: string) => Promise<boolean>): Refuses =>
  async (statements) => {
    const all: boolean[] = []
    for (const sql of statements) all.push(await refuses(sql))
    return all
  }

/** What somebody throws; undefined if it is nothing. */
async function thrownBy(act: () => unknown): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const postgres = inTurn(async (sql) => (await thrownBy(() => parse(sql))) !== undefined)

async function sqlite(): Promise<Refuses> {
  const database = new (await initSqlJs()).Database()
  for (const { name, columns } of views)
    database.run(`CREATE TABLE ${name} (${columns.map((column) => column.name).join(', ')})`)
  return inTurn(async (sql) => {
    const thrown = await thrownBy(() => [...database.iterateStatements(sql)].map((one) => one.free()))
    return /syntax error|incomplete input|unrecognized token/.test(thrown ?? '')
  })
}

async function duckdb(): Promise<Refuses> {
  const name = '@duckdb/node-api'
  const { DuckDBInstance } = (await import(name)) as {
    DuckDBInstance: { create(): Promise<{ connect(): Promise<{ prepare(sql: string): Promise<unknown> }> }> }
  }
  const connection = await (await DuckDBInstance.create()).connect()
  return inTurn(
    async (sql) => (await thrownBy(() => connection.prepare(sql)))?.startsWith('Parser Error') === true,
  )
}

/** The codes of errors are by the number of the line. */
const mariadb =
  (socket: string): Refuses =>
  async (statements) => {
    const prepared = statements.map(
      (sql) => `PREPARE s FROM '${sql.replaceAll('\\', '\\\\').replaceAll("'", "''")}';`,
    )
    const { stderr, status } = spawnSync('mariadb', [`--socket=${socket}`, '--force', 'test'], {
      input: prepared.join('\n'),
      encoding: 'utf8',
      maxBuffer: 1e8,
    })
    if (status !== 0 && !stderr.includes('at line'))
      throw new Error(`No MariaDB at ${socket}, or no database "test" in it: ${stderr}`)
    const refused = new Set([...stderr.matchAll(/^ERROR 1064 .* at line (\d+):/gm)].map(([, line]) => +line!))
    return statements.map((_, index) => refused.has(index + 1))
  }

/** A blank behind MAX is an error in MariaDB. */
const written = (words: readonly string[]): string =>
  words.join(' ').replaceAll(/ (?=[,)])|(?<=\() |(?<=\bMAX) (?=\()/g, '')

/** Most statements of a rule for a form. */
const MOST = 9

/** @param socket that of MariaDB */
async function main(socket: string | undefined): Promise<void> {
  if (socket === undefined)
    throw new Error('Name the socket of a MariaDB: npx tsx generators/suite/broken-statements.ts SOCKET')
  const grammars = [postgres, await sqlite(), await duckdb(), mariadb(socket)]
  const notations = Object.values(dateLiterals).map((write) => write(LONG_AGO, '00:00:00'))
  /** Those that every grammar refuses, in every notation of the date. */
  const broken = async (statements: readonly string[]): Promise<string[]> => {
    const readable = new Set<string>()
    for (const notation of notations)
      for (const refuses of grammars) {
        const refused = await refuses(statements.map((sql) => sql.replace(LITERAL, () => notation)))
        for (const [index, sql] of statements.entries()) if (!refused[index]) readable.add(sql)
      }
    return statements.filter((sql) => !readable.has(sql))
  }
  const kept: Record<string, string[][]> = {}
  for (const [name, parts] of Object.entries(rules)) {
    kept[name] = []
    for (const rule of parts) {
      const all = forms.map((form) => [...new Set(rule(form.match(TOKEN)!).map(written))])
      const some = await Promise.all(
        all.map(async (one) => randomOf(SEED).spread(await broken(one), MOST / parts.length)),
      )
      kept[name].push(some.flat())
    }
    console.log(`${name}: ${kept[name].map(({ length }) => length).join(', ')}`)
  }
  for (const form of forms)
    for (const [index, refuses] of grammars.entries())
      if ((await refuses([written(form.match(TOKEN)!)]))[0])
        throw new Error(`Grammar ${index} refuses ${form}`)
  writeFileSync(
    'conformance/generated/broken-statements.ts',
    `// Generated by generators/suite/broken-statements.ts; do not edit.
/** Statements that the grammars of PostgreSQL, SQLite, MariaDB and DuckDB all refuse to parse, by the rule that broke them and its parts. */
export const brokenStatements = ${JSON.stringify(kept, null, 2)} as const
`,
  )
}

await main(process.argv[2])
