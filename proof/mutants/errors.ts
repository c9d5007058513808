import { contract } from '../../schemas/index.ts'
import { errorReply, onEnvelope, onStatement, reply, wrapper, type Mutant } from '../mutant.ts'

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
    return next({ ...call, statement: statement.replaceAll(`\\'`, `'`).replaceAll('\\x20', ' ') })
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
  number: ['Numbers with leading zeros are accepted.', /^\{"\w+": 0\d+, "statement": "(.*)"\}$/],
  word: ['The word undefined is accepted for a value.', /^\{"\w+": undefined, "statement": "(.*)"\}$/],
  escape: ['An unknown escape is kept as it is.', /^\{"statement": "(?=.*\\x20)(.*) ?"\}$/],
  control: ['A line break inside a string is accepted.', /^\{"statement": "(.*\n.*)"\}$/],
  token: ['A missing comma between two members is accepted.', /^\{"\w+": \d+ "statement": "(.*)"\}$/],
  format: ['A body of one line in YAML is accepted.', /^statement: (.*)$/],
}).map(([name, [defect, pattern]]): Mutant => ({
  id: `${name}-read`,
  breaks: 'REQ-ERR-3',
  defect,
  wrap: lenient(pattern),
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
    wrap: onStatement((sql) => sql.replaceAll(/[\\}]/g, '')),
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
    defect: 'Of two FROM clauses the second is ignored.',
    wrap: servedIf(/\bFROM \w+ FROM\b/),
  },
  {
    id: 'lost-word-read',
    breaks: 'REQ-ERR-4',
    defect: 'A statement that begins with columns gets its SELECT.',
    wrap: servedIf(/^(?!SELECT)[\w*].* FROM /),
  },
  {
    id: 'unfinished-read',
    breaks: 'REQ-ERR-4',
    defect: 'A clause without its end is ignored.',
    wrap: servedIf(/(\b(WHERE|FROM|JOIN|ON)|[=>(,])$/),
  },
  {
    id: 'failing-statement-served',
    breaks: 'REQ-ERR-6',
    defect: 'A failing statement on a known view gets an empty success.',
    wrap: servedWhere((sql, message) => !isUnknownView(sql, message) && !/syntax error/i.test(message)),
  },
]
