import { StatementRefused } from '../statement.ts'
import type { Fields } from './tree.ts'

type Parser = Awaited<ReturnType<typeof import('libpg-query/wasm/libpg-query.js').default>>

let loading: Promise<void> | undefined
let parser: Parser | undefined

/**
 * Loads the parser, which takes a tenth of a second once. This has to be done before {@link parseStatements}.
 *
 * @param wasm the bytes of libpg-query.wasm. Default: its own file
 */
export const loadParser = (wasm?: Uint8Array): Promise<void> =>
  (loading ??= import('libpg-query/wasm/libpg-query.js')
    .then(({ default: createParser }) => createParser(wasm && { instantiateWasm: instantiating(wasm) }))
    .then((loaded) => void (parser = loaded)))

/** TypeScript has the types of WebAssembly only together with those of a browser. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate(bytes: Uint8Array, imports: object): Promise<{ readonly instance: object }> }
}

const instantiating =
  (wasm: Uint8Array) =>
  (imports: object, receive: (instance: object) => void): object => {
    void WebAssembly.instantiate(wasm, imports).then(({ instance }) => receive(instance))
    return {}
  }

/** One statement of a text. */
export interface ParsedStatement {
  readonly tree: Fields
  /** Its start in bytes of UTF-8. */
  readonly start: number
  /** Its length in bytes if a semicolon ends it; 0 if the text ends. */
  readonly length: number
}

let broken = false

/** Whether the parser ran out of memory: it no longer works, and its thread has to be replaced. */
export const isParserBroken = (): boolean => broken

/**
 * Parses with PostgreSQL's own grammar.
 *
 * @returns the statements in the text, none for an empty one
 * @throws StatementRefused with PostgreSQL's message if the text is not SQL
 */
export function parseStatements(text: string): ParsedStatement[] {
  if (text.trim() === '') return []
  let parsed: Parsed | string
  try {
    parsed = parse(parser!, text)
  } catch (error) {
    broken ||= error instanceof Error && error.name === 'RuntimeError'
    parsed = 'memory exhausted'
  }
  if (typeof parsed !== 'string')
    return (parsed.stmts ?? []).map(({ stmt, stmt_location: start = 0, stmt_len: length = 0 }) => ({
      tree: stmt,
      start,
      length,
    }))
  if (!parsed.startsWith('memory exhausted')) throw new StatementRefused('syntax', parsed, '42601')
  throw new StatementRefused('other', 'The statement is nested too deeply.', '54001')
}

interface Parsed {
  readonly stmts?: readonly { stmt: Fields; stmt_location?: number; stmt_len?: number }[]
}

/** @returns the tree, or PostgreSQL's message @throws Error if the parser runs out of memory or its stack */
function parse(parser: Parser, text: string): Parsed | string {
  const { _malloc: allocate, _free: free, _wasm_parse_query_raw: run, _wasm_free_parse_result: drop } = parser
  const bytes = parser.lengthBytesUTF8(text) + 1
  const from = allocate(bytes)
  let result = 0
  try {
    parser.stringToUTF8(text, from, bytes)
    result = run(from)
    if (!result) throw new Error('The parser has no memory.')
    // PgQueryParseResult: the tree as JSON, what was written to stderr, and the error, whose first field is the message
    const [tree, , error] = [0, 4, 8].map((offset) => parser.getValue(result + offset, 'i32'))
    if (error) return parser.UTF8ToString(parser.getValue(error, 'i32'))
    return JSON.parse(parser.UTF8ToString(tree!)) as Parsed
  } finally {
    free(from)
    if (result) drop(result)
  }
}
