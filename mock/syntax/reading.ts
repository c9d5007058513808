import type { Settings } from '../../schemas/open-points.ts'
import { views } from '../../schemas/views.ts'
import { dateLiterals } from '../open-points/delta/literal.ts'
import { defaultSettings } from '../open-points/settings.ts'
import { acceptedSql } from '../open-points/sql/accept.ts'
import { emptyText } from '../open-points/sql/empty.ts'
import { filterRule } from '../open-points/sql/filters.ts'
import { severalStatements } from '../open-points/sql/multi.ts'
import { semicolonRefusal } from '../open-points/sql/semicolon.ts'
import { refused, StatementRefused } from '../statement.ts'
import { loadParser, type ParsedStatement, parseStatements } from './parser.ts'
import { spelledNames } from './spelled-names.ts'
import { type Fields, fieldsOf, listOf, nodeOf } from './tree.ts'

/** The settings that read the syntax of a statement. */
const settingIds = [
  'delta.literal',
  'rows.case',
  'rows.duplicates',
  'rows.order',
  'rows.shape',
  'sql.accept',
  'sql.empty',
  'sql.filters',
  'sql.multi',
  'sql.semicolon',
] as const

export type SyntaxSettings = Pick<Settings, (typeof settingIds)[number]>

/** A view in the FROM clause and its alias. */
export interface Source {
  readonly view: string
  readonly alias: string
}

/** One statement of a text, as the settings read it. */
export interface Reading {
  /** The text to run. */
  readonly text: string
  /** The characters of the statement as it was sent before this text. */
  readonly start: number
  /** Whether the statement has an ORDER BY. */
  readonly ordered: boolean
  /** The views of the outermost FROM clause, from left to right. */
  readonly sources: readonly Source[]
  /** The names of columns as the statement spells them, by their lower case. */
  readonly spelled: ReadonlyMap<string, string>
  /** Whether its rows are left out of the answer. */
  readonly silent: boolean
  /** Why a setting refuses it. An error of PostgreSQL comes first. */
  readonly refusal?: StatementRefused
}

/** A statement that no setting reads. Empty statements before it count as little as PostgreSQL counts them. */
function plain(sent: string): Reading {
  const text = sent.replace(/^[ \t\n\r\f\v;]+/, '')
  const start = sent.length - text.length
  return { text, start, ordered: false, sources: [], spelled: new Map(), silent: false }
}

/** Stands for a text without a statement, and for a statement that is answered without being executed. */
export const nothing: Reading = plain('SELECT WHERE false')

/**
 * Reads a text as the settings say: which statements of it run, and what of them is refused although PostgreSQL would answer it.
 * The default settings read nothing, and do not load the parser. This is no lock: PostgreSQL decides what a statement
 * may do (docs/decisions/0006).
 *
 * @param parser the bytes of libpg-query.wasm. Default: its own file
 * @throws StatementRefused
 */
export async function readStatements(
  text: string,
  settings: SyntaxSettings,
  parser?: Uint8Array,
): Promise<readonly Reading[]> {
  if (settingIds.every((id) => settings[id] === defaultSettings[id])) return [plain(text)]
  await loadParser(parser)
  const parsed = parseStatements(text)
  const { taken, runsAll, lastOnly } = severalStatements(settings)
  const statements = taken(parsed)
  if (statements.length === 0) {
    if (emptyText(settings).runs) return [nothing]
    throw new StatementRefused('empty', 'The text is empty. Send exactly one statement.', '42601')
  }
  // PostgreSQL refuses them
  if (statements.length > 1 && !runsAll) return [plain(text)]
  const semicolon = parsed.at(-1)!.length > 0 ? semicolonRefusal(settings) : undefined
  const bytes = new TextEncoder().encode(text)
  return statements.map((statement, index) => ({
    ...read(statement, settings, bytes, semicolon),
    text: parsed.length > 1 || statement.start > 0 ? partOf(bytes, statement) : text,
    start: [...textOf(bytes.subarray(0, statement.start))].length,
    silent: lastOnly === true && index < statements.length - 1,
  }))
}

function read(
  { tree }: ParsedStatement,
  settings: SyntaxSettings,
  bytes: Uint8Array,
  semicolon: string | undefined,
): Omit<Reading, 'text' | 'start' | 'silent'> {
  const select = fieldsOf(tree, 'SelectStmt')
  if (!select) return plain('')
  const reason = semicolon ?? reasonIn(select, settings)
  return {
    ordered: listOf(select['sortClause']).length > 0,
    sources: sourcesOf(select['fromClause']),
    spelled: spelledNames(select, bytes),
    ...(reason !== undefined && { refusal: refused(reason) }),
  }
}

/** Why a setting refuses a SELECT. The walk is recursive: a long chain of operators is as deep as it is long. */
function reasonIn(select: Fields, settings: SyntaxSettings): string | undefined {
  const rules = [acceptedSql(settings).rule, filterRule(settings), dateLiterals(settings)]
  try {
    for (const rule of rules) {
      const reason = rule?.(select)
      if (reason !== undefined) return reason
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError) throw refused('The statement is nested too deeply.', '54001')
    throw error
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const partOf = (bytes: Uint8Array, { start, length }: ParsedStatement): string =>
  textOf(bytes.subarray(start, length > 0 ? start + length : undefined))

const viewNames: ReadonlySet<string> = new Set(views.map(({ name }) => name))

/** The views of a FROM clause. Joins are nested to the left, one in another for each. */
function sourcesOf(from: unknown): Source[] {
  const found: Source[] = []
  const visit = (item: unknown): void => {
    const node = nodeOf(item)
    if (node?.type === 'JoinExpr') {
      visit(node.fields['larg'])
      visit(node.fields['rarg'])
    }
    if (node?.type !== 'RangeVar') return
    const view = String(node.fields['relname'])
    if (!viewNames.has(view)) return
    const alias = (node.fields['alias'] as Fields | undefined)?.['aliasname']
    found.push({ view, alias: String(alias ?? view) })
  }
  for (const item of listOf(from)) visit(item)
  return found
}
