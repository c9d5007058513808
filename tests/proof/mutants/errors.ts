import { contract } from '../../../schemas/index.ts'
import { errorReply, onEnvelope, onStatement, reply, statementIn, wrapper, type Mutant } from '../mutant.ts'

const RELATION = /relation "([^"]*)" does not exist/

/** Replaces the message for an unknown view. */
const onUnknownView = (messageFor: (name: string) => string) =>
  onEnvelope(({ data, status }) => ({
    data,
    status: { ...status, message: status.message.replace(RELATION, (_, name: string) => messageFor(name)) },
  }))

/** Replaces matching errors by an empty success. */
const servedWhere = (matches: (statement: string, message: string) => boolean) =>
  onEnvelope((envelope, { statement = '' }) =>
    envelope.status.state === 'error' && matches(statement, envelope.status.message) ? nothing : envelope,
  )

const nothing = { data: [], status: { state: 'success', message: contract.messages.empty } }

/** Replaces the reply to bodies that are not JSON. */
const onInvalidJson = (answer: () => Response) =>
  wrapper(async (call, next) => {
    try {
      JSON.parse(call.body)
      return await next(call)
    } catch (error) {
      if (error instanceof SyntaxError) return answer()
      throw error
    }
  })

/** Accepts bodies that are not JSON, by a pattern with the statement in its first group. */
const lenient = (pattern: RegExp) =>
  wrapper(async (call, next) => {
    const statement = pattern.exec(call.body)?.[1]
    if (statement === undefined || call.statement !== undefined) return next(call)
    return next({ ...call, statement: statement.replaceAll(`\\'`, `'`) })
  })

/** Readers of JSON that accept one thing more. */
const lenientReaders = Object.entries<[defect: string, pattern: RegExp]>({
  'single-quotes': [
    'Single quotes around keys and strings are accepted.',
    /^\{\s*'statement'\s*:\s*'(.*)'\s*\}$/s,
  ],
  'mixed-quotes': [
    'Double quotes inside the statement are accepted without a backslash.',
    /^\{\s*"statement"\s*:\s*"(SELECT "id".*)"\s*\}$/s,
  ],
  truncated: ['A missing closing brace is accepted.', /^\{\s*"statement"\s*:\s*"([^"]*)"\s*$/s],
  'trailing-comma': ['A comma before the closing brace is accepted.', /^\{"statement": "([^"]*)",\}$/],
  comment: ['Comments are accepted.', /^\{"statement": "([^"]*)" \/\*.*\*\/\}$/],
  'bare-key': ['Keys without quotes are accepted.', /^\{statement: "([^"]*)"\}$/],
  'escaped-single-quote': [
    'A backslash before a single quote is accepted.',
    /^\{"statement": "([^"]*\\'[^"]*)"\}$/,
  ],
  'plain-sql': ['A statement without JSON around it is accepted.', /^(SELECT [^{}]*)$/],
  format: ['A body of one line in YAML is accepted.', /^statement: (.*)$/],
}).map(([name, [defect, pattern]]): Mutant => ({
  id: `${name}-read`,
  breaks: 'REQ-ERR-3',
  defect,
  wrap: lenient(pattern),
}))

/** Changes the strings of a body, which may contain line breaks. */
const inStrings = (change: (text: string) => string) => (body: string) => body.replaceAll(/"[^"]*"/g, change)

/** Readers of JSON that repair a body first. */
const repairingReaders = Object.entries<[defect: string, repair: (body: string) => string]>({
  'control-read': ['A line break or a tab in a string is kept.', inStrings((text) => escapedWhole(text))],
  'carriage-return-lost': ['Carriage returns are lost.', (body) => body.replaceAll('\r', '')],
  'escape-read': [
    'A backslash before any letter is dropped.',
    (body) => body.replaceAll(/\\(?![bfnrtu"\\/0])/g, ''),
  ],
  'number-read': ['A sign before a number is read.', (body) => body.replaceAll(/: \+(?=\d)/g, ': ')],
  'number-with-underscores-read': [
    'Digits may be in groups.',
    (body) => body.replaceAll(/(?<=\d)_(?=\d)/g, ''),
  ],
  'word-read': [
    'The word undefined is accepted for a value.',
    (body) => body.replace(': undefined', ': null'),
  ],
  'other-quotes-read': [
    'Typographic quotes are replaced by straight ones.',
    (body) => body.replaceAll(/[“-‟]/g, '"'),
  ],
  'backticks-read': ['Strings may be between backticks.', (body) => body.replaceAll(/`([^`]*)`/g, '"$1"')],
  'token-read': ['A missing comma is added.', (body) => body.replaceAll(/(?<=[\w"])(?=\n {2}")/g, ',')],
  'stray-character-read': ['Comments begin with #.', (body) => body.replaceAll(/#.*$/gm, '')],
  'line-comment-read': ['Comments begin with //.', (body) => body.replaceAll(/\/\/.*$/gm, '')],
  'text-before-read': ['Text before the first brace is skipped.', (body) => body.replace(/^[^{[]*/, '')],
  'text-before-brace-read': [
    'Text behind a value and before its brace is skipped.',
    (body) => body.replace(/(?<=")[^",:}]*(?=\}$)/, ''),
  ],
}).map(([id, [defect, repair]]): Mutant => ({
  id,
  breaks: 'REQ-ERR-3',
  defect,
  wrap: wrapper((call, next) => {
    const statement = call.statement ?? statementIn(repair(call.body))
    return next(statement === undefined ? call : { ...call, statement })
  }),
}))

const escapedWhole = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')

/** Readers of SQL that accept one thing more. */
const lenientParsers = Object.entries<[defect: string, rewrite: (sql: string) => string]>({
  'quotes-of-literal-read': [
    'Two quotes around a literal count as one.',
    (sql) => sql.replaceAll(/''([^']+)''/g, "'$1'"),
  ],
  'clause-order-read': [
    'The clauses may come in any order.',
    (sql) =>
      sql.includes('(')
        ? sql
        : ['SELECT', 'FROM', 'LEFT', 'ON', 'WHERE', 'LIMIT']
            .flatMap(
              (word) =>
                sql.match(
                  new RegExp(`\\b${word}\\b.*?(?= \\b(SELECT|FROM|LEFT|ON|WHERE|LIMIT)\\b|$)`),
                )?.[0] ?? [],
            )
            .join(' '),
  ],
  'second-word-read': [
    'A word behind the statement is skipped.',
    (sql) => sql.replace(/( "?[a-z]+"?)+\.?$/, ''),
  ],
  'text-behind-semicolon-read': [
    'Text behind a semicolon is skipped if it is no statement.',
    (sql) => sql.replace(/;\s*(?!\s|select).*$/is, ''),
  ],
  'literal-read': [
    'Literals without an operator before them are skipped.',
    (sql) => sql.replaceAll(/(?<!LIMIT|[<>=(,]|DATE|TIMESTAMP) (\d[\d.]*|'[^']*')/g, ''),
  ],
  'comma-read': [
    'Commas without a next item are skipped.',
    (sql) => sql.replaceAll(/,(?=\s*(,|[A-Z]|$))/g, ''),
  ],
  'operator-read': [
    'Operators behind a clause are skipped.',
    (sql) => sql.replaceAll(/ [=<>/.:|]+(?=( (FROM|LEFT|ON|WHERE|LIMIT)\b|$))/g, ''),
  ],
}).map(([id, [defect, rewrite]]): Mutant => ({
  id,
  breaks: 'REQ-ERR-4',
  defect,
  wrap: onStatement(rewrite),
}))

const isUnknownView = (_: string, message: string) => RELATION.test(message)

/** Replaces errors by an empty success for statements that match. */
const servedIf = (pattern: RegExp) => servedWhere((sql) => pattern.test(sql))

const count = (text: string, character: string): number => text.split(character).length - 1

/** Defects of error replies. */
export const errorMutants: Mutant[] = [
  {
    id: 'relation-single-quotes',
    breaks: 'REQ-ERR-1',
    defect: 'The message has the name of the unknown view in single quotes.',
    wrap: onUnknownView((name) => `relation '${name}' does not exist`),
  },
  {
    id: 'relation-without-name',
    breaks: 'REQ-ERR-1',
    defect: 'The message does not name the unknown view.',
    wrap: onUnknownView(() => 'relation does not exist'),
  },
  {
    id: 'relation-other-name',
    breaks: 'REQ-ERR-1',
    defect: 'The message names another view.',
    wrap: onUnknownView((name) => `relation "${name.replace(/^v_/, '')}" does not exist`),
  },
  {
    id: 'relation-generic',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is reported as an unexpected exception.',
    wrap: onUnknownView(() => contract.messages.exception),
  },
  {
    id: 'unknown-view-empty',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is treated as a view without rows.',
    wrap: servedWhere(isUnknownView),
  },
  {
    id: 'unknown-view-beside-ignored',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is treated as a view without rows if the statement also reads a known view.',
    wrap: servedWhere(
      (sql, message) => isUnknownView(sql, message) && (sql.match(/\b(from|join)\b/gi) ?? []).length > 1,
    ),
  },
  {
    id: 'unknown-view-star',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is treated as a view without rows if all its columns are selected.',
    wrap: servedWhere((sql, message) => isUnknownView(sql, message) && sql.startsWith('SELECT *')),
  },
  {
    id: 'unknown-view-no-rows-wanted',
    breaks: 'REQ-ERR-1',
    defect: 'With LIMIT 0, an unknown view is treated as a view without rows.',
    wrap: servedWhere((sql, message) => isUnknownView(sql, message) && sql.includes('LIMIT 0')),
  },
  {
    id: 'unknown-view-filtered',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is treated as a view without rows if its rows are filtered.',
    wrap: servedWhere((sql, message) => isUnknownView(sql, message) && sql.includes('WHERE')),
  },
  {
    id: 'unknown-view-long',
    breaks: 'REQ-ERR-1',
    defect: 'The message has only the first 30 characters of the name of the unknown view.',
    wrap: onUnknownView((name) => `relation "${name.slice(0, 30)}" does not exist`),
  },
  {
    id: 'view-without-last-letter',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view whose name lacks the last letter of a known one is read as that one.',
    wrap: onStatement((sql) => sql.replaceAll(/\bv_bioprocess\b/gi, 'v_bioprocesses')),
  },
  {
    id: 'view-by-prefix',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view whose name begins with a known one is read as that one.',
    wrap: onStatement((sql) =>
      sql.replaceAll(/\bv_\w+/g, (name) =>
        (contract.views as readonly string[]).includes(name)
          ? name
          : (contract.views.find((view) => name.startsWith(`${view}_`)) ?? name),
      ),
    ),
  },
  {
    id: 'unknown-view-left',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view on the left of a join is treated as a view without rows.',
    wrap: servedWhere((sql, message) => {
      const [, name] = RELATION.exec(message) ?? []
      return name !== undefined && new RegExp(`FROM ${name}\\b.*JOIN`).test(sql)
    }),
  },
  {
    id: 'invalid-json-served',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON gets an empty success.',
    wrap: onInvalidJson(() => reply(nothing)),
  },
  {
    id: 'invalid-json-generic',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is reported as an unexpected exception.',
    wrap: onInvalidJson(() => errorReply(contract.messages.exception)),
  },
  {
    id: 'invalid-json-as-html',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON gets an HTML page.',
    wrap: onInvalidJson(
      () => new Response('<h1>Bad Request</h1>', { status: 400, headers: { 'content-type': 'text/html' } }),
    ),
  },
  {
    id: 'invalid-json-as-framework',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON gets the error format of a web framework.',
    wrap: onInvalidJson(() => reply({ detail: [{ type: 'json_invalid', msg: 'JSON decode error' }] }, 422)),
  },
  ...lenientReaders,
  ...repairingReaders,
  ...lenientParsers,
  ...['empty', 'space'].map((name): Mutant => ({
    id: `${name}-read`,
    breaks: 'REQ-ERR-3',
    defect: `A body ${name === 'empty' ? 'without characters' : 'of white space'} gets an empty success.`,
    wrap: wrapper(async (call, next) =>
      call.body.trim() === '' && (call.body === '') === (name === 'empty') ? reply(nothing) : next(call),
    ),
  })),
  {
    id: 'syntax-error-served',
    breaks: 'REQ-ERR-4',
    defect: 'A SQL syntax error gets an empty success.',
    wrap: servedWhere((_, message) => /syntax error/i.test(message)),
  },
  {
    id: 'syntax-error-closes',
    breaks: 'REQ-ERR-4',
    defect: 'The connection closes at a SQL syntax error.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      if (call.statement === undefined || !/syntax error/i.test(await response.clone().text()))
        return response
      throw new TypeError('fetch failed')
    }),
  },
  {
    id: 'limit-word-read',
    breaks: 'REQ-ERR-4',
    defect: 'Words after LIMIT are ignored.',
    wrap: servedIf(/LIMIT \d+ \w+$/),
  },
  {
    id: 'where-unfinished-read',
    breaks: 'REQ-ERR-4',
    defect: 'A comparison without a right side is ignored.',
    wrap: servedIf(/[<>=]$/),
  },
  {
    id: 'from-empty-read',
    breaks: 'REQ-ERR-4',
    defect: 'A FROM without a view gets no rows.',
    wrap: servedIf(/FROM$/),
  },
  {
    id: 'open-quote-read',
    breaks: 'REQ-ERR-4',
    defect: 'A missing closing quote is added.',
    wrap: servedWhere((sql) => count(sql, "'") % 2 === 1),
  },
  {
    id: 'parenthesis-read',
    breaks: 'REQ-ERR-4',
    defect: 'A missing parenthesis is added.',
    wrap: servedWhere((sql) => count(sql, '(') !== count(sql, ')')),
  },
  {
    id: 'foreign-character-read',
    breaks: 'REQ-ERR-4',
    defect: 'Characters that SQL does not know are skipped.',
    wrap: onStatement((sql) => sql.replaceAll(/[\\}!~@$^&]/g, '')),
  },
  {
    id: 'reserved-words-read',
    breaks: 'REQ-ERR-4',
    defect: 'A word that stands twice in a row counts once.',
    wrap: onStatement((sql) => sql.replaceAll(/\b(\w+) \1\b/g, '$1')),
  },
  {
    id: 'doubled-clause-read',
    breaks: 'REQ-ERR-4',
    defect: 'Of two clauses of a kind the second is ignored.',
    wrap: servedIf(/^[^(]*\b(SELECT|FROM|WHERE|LIMIT)\b[^(]*\b\1\b/),
  },
  {
    id: 'lost-word-read',
    breaks: 'REQ-ERR-4',
    defect: 'A missing word is guessed.',
    wrap: servedIf(
      /^(?!SELECT)[\w*].* FROM |\bFROM (WHERE|LIMIT)|\bLEFT v_|\bLIMIT$|[a-z] \d+$|v_\w+ last_updated_at/,
    ),
  },
  {
    id: 'unfinished-read',
    breaks: 'REQ-ERR-4',
    defect: 'A clause without its end is ignored.',
    wrap: servedIf(/(\b(WHERE|FROM|JOIN|ON)|[=>(,])$/),
  },
  {
    id: 'qualifier-ignored',
    breaks: 'REQ-ERR-6',
    defect: 'In a statement over one view, what stands before the dot of a column is ignored.',
    wrap: onStatement((sql) => (/\bjoin\b/i.test(sql) ? sql : sql.replaceAll(/\b[a-z]\w*\.(?=[\w*])/gi, ''))),
  },
  {
    id: 'failing-statement-served',
    breaks: 'REQ-ERR-6',
    defect: 'A failing statement on a known view gets an empty success.',
    wrap: servedWhere((sql, message) => !isUnknownView(sql, message) && !/syntax error/i.test(message)),
  },
]
