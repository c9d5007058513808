import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import { StatementRefused } from '../statement.ts'
import type { Fields } from '../syntax-tree.ts'

/** Loads the parser, which is WebAssembly. Has to be done once before {@link parseStatements}. */
export const loadParser: () => Promise<void> = loadModule

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
  try {
    const { stmts = [] } = parseSync(text)
    return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length = 0 }) => ({
      tree: stmt as unknown as Fields,
      start,
      length,
    }))
  } catch (error) {
    if (hasSqlDetails(error) && !error.message.startsWith('memory exhausted')) {
      throw new StatementRefused('syntax', error.message, '42601')
    }
    broken ||= error instanceof Error && error.name === 'RuntimeError'
    throw new StatementRefused('other', 'The statement is nested too deeply.', '54001')
  }
}
