import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import { StatementRefused } from '../engine/engine.ts'

/** A node of the parser's tree or a part of one: field name to value. */
export type Fields = Readonly<Record<string, unknown>>

/** The parser is WebAssembly: wait for this once before {@link parseStatements}. */
export const loadParser: () => Promise<void> = loadModule

/** One statement of a text. */
export interface ParsedStatement {
  readonly tree: Fields
  /** Where it begins, in bytes of UTF-8. */
  readonly start: number
  /** How many bytes it has, where a semicolon ends it; 0 where the text does. */
  readonly length: number
}

let broken = false

/** Whether the parser ran out of its memory: it answers nothing any more, and its thread has to be replaced. */
export const isParserBroken = (): boolean => broken

/**
 * Parses with PostgreSQL's own grammar.
 *
 * @returns the statements in the text, none for an empty one
 * @throws StatementRefused with PostgreSQL's message when the text is not SQL
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

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The parser writes a node as `{Type: {fields}}` where its type varies and as bare fields where the grammar
 * fixes it; type names alone begin with a capital letter.
 */
export function nodeOf(value: unknown): { type: string; fields: Fields } | undefined {
  if (!isFields(value)) return undefined
  const [type] = Object.keys(value)
  if (type === undefined || !/^[A-Z]/.test(type)) return undefined
  return { type, fields: value[type] as Fields }
}

/** The fields of a node that has to be of one type; undefined when it is not. */
export function fieldsOf(value: unknown, type: string): Fields | undefined {
  const node = nodeOf(value)
  return node?.type === type ? node.fields : undefined
}

/** A list of nodes; an absent list is empty in the parser's output. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The texts of a list of String nodes, such as a qualified name. */
export function namesOf(value: unknown): string[] {
  return listOf(value).map((part) => String(fieldsOf(part, 'String')?.['sval'] ?? ''))
}

/** Calls `visit` for a value, and for everything in it, that has fields; `type` is absent where the grammar fixes it. */
export function walk(value: unknown, visit: (fields: Fields, type?: string) => void): void {
  if (Array.isArray(value)) {
    for (const member of value) walk(member, visit)
    return
  }
  if (!isFields(value)) return
  const node = nodeOf(value)
  const fields = node ? node.fields : value
  visit(fields, node?.type)
  for (const member of Object.values(fields)) walk(member, visit)
}
