import type { Settings } from '../../schemas/open-points.ts'
import { views } from '../../schemas/views.ts'
import { permission } from '../open-points/auth/permission.ts'
import { defaultSettings } from '../open-points/settings.ts'
import { dateLiterals } from '../open-points/delta/literal.ts'
import { acceptedSql } from '../open-points/sql/accept.ts'
import { emptyText } from '../open-points/sql/empty.ts'
import { filterRule } from '../open-points/sql/filters.ts'
import { severalStatements } from '../open-points/sql/multi.ts'
import { semicolonRefusal } from '../open-points/sql/semicolon.ts'
import { insufficientPrivilege, StatementRefused } from '../statement.ts'
import { type Fields, fieldsOf, listOf, nodeOf } from '../syntax-tree.ts'
import { type ParsedStatement, parseStatements } from './parser.ts'
import { spelledNames } from './spelled-names.ts'
import { findViolations, type Violations } from './violations.ts'

export { isParserBroken, loadParser, useParser } from './parser.ts'

/** Longest statement in bytes of UTF-8: as much as a body can hold. The application has a lower limit. */
export const maxStatementBytes = 6 << 20

/** The settings that the gate reads. */
export type GateSettings = Pick<
  Settings,
  | 'auth.permission'
  | 'delta.literal'
  | 'sql.accept'
  | 'sql.empty'
  | 'sql.filters'
  | 'sql.multi'
  | 'sql.semicolon'
>

/** A view in the FROM clause and its alias. */
export interface Source {
  readonly view: string
  readonly alias: string
}

/** A statement that passed the gate. */
export interface Admission {
  /** The text to execute. */
  readonly text: string
  /** The statement as the parser reads it. */
  readonly select: Fields
  /** Whether the statement has an ORDER BY. */
  readonly ordered: boolean
  /** Where `text` names a view without its schema, in bytes of UTF-8. */
  readonly views: readonly number[]
  /** The views of the outermost FROM clause, from left to right. */
  readonly sources: readonly Source[]
  /** The names of columns as the statement spells them, by their lower case. */
  readonly spelled: () => ReadonlyMap<string, string>
  /** Whether its rows are left out of the answer. */
  readonly silent: boolean
}

/** Stands for a text without a statement, and for a statement that is answered without being executed. */
const nothing: Admission = {
  text: 'SELECT WHERE false',
  select: {},
  ordered: true,
  views: [],
  sources: [],
  spelled: () => new Map(),
  silent: false,
}

/**
 * Admits read-only SELECTs over the nine views, exactly one by default. This is the first of two locks, and the one
 * that words the refusal; the rights of the database are the second. Refuses in the order of PostgreSQL: syntax, then
 * unknown relations, then everything else.
 *
 * @returns the statements to execute, in their order
 * @throws StatementRefused
 */
export function admit(text: string, settings: GateSettings = defaultSettings): readonly Admission[] {
  refuseUnsafeText(text)
  const parsed = parseStatements(text)
  const { taken, refusal, lastOnly } = severalStatements(settings)
  const statements = taken(parsed)
  const violations = statements.map(({ tree }) => violationsIn(tree, settings))
  const relation = violations.find((found) => found.relation !== undefined)?.relation
  if (relation !== undefined) {
    const message = `relation "${relation}" does not exist`
    throw new StatementRefused('unknown-relation', message, '42P01', relation)
  }
  if (statements.length === 0) {
    if (emptyText(settings).runs) return [nothing]
    throw new StatementRefused('empty', 'The text is empty. Send exactly one statement.', '42601')
  }
  if (statements.length > 1 && refusal !== undefined) throw refused(refusal, '42601')
  const semicolon = semicolonRefusal(settings)
  if (semicolon !== undefined && parsed.at(-1)!.length > 0) throw refused(semicolon, '42601')
  const bytes = encoder.encode(text)
  return statements.map((statement, index) => {
    const part = parsed.length > 1 ? partOf(bytes, statement) : { text, start: 0 }
    const admission = admitOne(statement, violations[index]!, settings, bytes, part)
    return lastOnly && index < statements.length - 1 ? { ...admission, silent: true } : admission
  })
}

function admitOne(
  statement: ParsedStatement,
  { writes, refusal, denied, views }: Violations,
  settings: GateSettings,
  bytes: Uint8Array,
  { text, start }: { readonly text: string; readonly start: number },
): Admission {
  const select = fieldsOf(statement.tree, 'SelectStmt')
  const { rule, answersWrites } = acceptedSql(settings)
  if (answersWrites && (!select || writes)) return nothing
  if (refusal !== undefined) throw refused(refusal)
  if (!select) throw refused('Only SELECT statements are accepted.')
  const reason = rule?.(select) ?? filterRule(settings)?.(select) ?? dateLiterals(settings)?.(select)
  if (reason !== undefined) throw refused(reason)
  if (denied !== undefined)
    throw new StatementRefused('other', `permission denied for view ${denied}`, insufficientPrivilege, denied)
  return {
    text,
    select,
    ordered: listOf(select['sortClause']).length > 0,
    views: views.map((place) => place - start),
    sources: sourcesOf(select['fromClause']),
    spelled: () => spelledNames(select, bytes),
    silent: false,
  }
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

const partOf = (bytes: Uint8Array, { start, length }: ParsedStatement) => ({
  text: decoder.decode(bytes.subarray(start, length > 0 ? start + length : undefined)),
  start,
})

/** The walk is recursive: a long chain of operators is as deep as it is long. */
function violationsIn(tree: Fields, settings: GateSettings): Violations {
  try {
    return findViolations([tree], permission(settings).withheld)
  } catch (error) {
    if (error instanceof RangeError) throw refused('The statement is nested too deeply.', '54001')
    throw error
  }
}

function refused(message: string, sqlState = '0A000'): StatementRefused {
  return new StatementRefused('other', message, sqlState)
}

/** The parser reads a row of these to its end for each comment or sign in it: a megabyte of `/*` would take minutes. */
const longOperators = /(?<![~!@#^&|`?+\-*/%<>=])[~!@#^&|`?+\-*/%<>=]{501}/

/** U+0000 ends a text early on the wire, a lone surrogate silently becomes another character. */
function refuseUnsafeText(statement: string): void {
  if (statement.includes('\0')) throw refused('The statement holds the character U+0000.', '22021')
  if (/\p{Surrogate}/u.test(statement)) throw refused('The statement holds half a surrogate pair.', '22021')
  if (longOperators.test(statement))
    throw refused(
      'The statement has more than 500 operator characters in a row. Put spaces between them.',
      '54000',
    )
  // three bytes of UTF-8 a UTF-16 unit at most: the exact count is only needed near the limit
  if (statement.length * 3 <= maxStatementBytes) return
  if (encoder.encode(statement).length > maxStatementBytes) {
    throw refused(`The statement is longer than ${maxStatementBytes} bytes. Split it.`, '54000')
  }
}

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
