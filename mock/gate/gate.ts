import { views } from '../../schemas/generated/views.ts'
import { type StatementKinds, StatementRefused } from '../engine/engine.ts'
import { undocumentedPart } from './documented.ts'
import { type Faults, findFaults } from './faults.ts'
import { type Fields, fieldsOf, listOf, nodeOf, parseStatements } from './syntax-tree.ts'

export { isParserBroken, loadParser } from './syntax-tree.ts'

/** Longest statement in bytes of UTF-8, which is what a body can carry; the application refuses shorter ones. */
export const maxStatementBytes = 6 << 20

/** A view in the FROM clause and the name the statement gives it. */
export interface Source {
  readonly view: string
  readonly alias: string
}

/** What the engine has to know about a statement that passed. */
export interface Admission {
  /** Whether the statement asks for an order of its rows. */
  readonly ordered: boolean
  /** The views of the outermost FROM clause, from left to right. */
  readonly sources: readonly Source[]
}

/**
 * Lets through exactly one read-only SELECT over the nine views (ruling 10). The database's own rights refuse
 * the same things once more: this is the first of two locks, and the one that words the refusal.
 * Refuses in the order PostgreSQL does: syntax, then unknown relations, then everything else.
 *
 * @throws StatementRefused
 */
export function admit(statement: string, kinds: StatementKinds = 'any'): Admission {
  refuseUnsafeText(statement)
  const statements = parseStatements(statement)
  const fault = faultsOf(statements)
  if (fault.relation !== undefined) {
    const message = `relation "${fault.relation}" does not exist`
    throw new StatementRefused('unknown-relation', message, '42P01', fault.relation)
  }
  if (statements.length !== 1) {
    const count = statements.length === 0 ? 'is empty' : 'holds several statements'
    throw refused(`The text ${count}. Send exactly one statement.`, '42601')
  }
  if (fault.refusal !== undefined) throw refused(fault.refusal)
  const select = fieldsOf(statements[0], 'SelectStmt')
  if (!select) throw refused('Only SELECT statements are accepted.')
  const undocumented = kinds === 'documented' ? undocumentedPart(select) : undefined
  if (undocumented !== undefined) {
    throw refused(
      `The contract does not document ${undocumented}; this server was started with --sql documented.`,
    )
  }
  return {
    ordered: listOf(select['sortClause']).length > 0,
    sources: listOf(select['fromClause']).flatMap(sourcesOf),
  }
}

/** The walk is recursive: a long chain of operators is as deep as it is long. */
function faultsOf(statements: readonly Fields[]): Faults {
  try {
    return findFaults(statements)
  } catch (error) {
    if (error instanceof RangeError) throw refused('The statement is nested too deeply.', '54001')
    throw error
  }
}

function refused(message: string, sqlState = '0A000'): StatementRefused {
  return new StatementRefused('other', message, sqlState)
}

/** U+0000 ends a text early on the wire, a lone surrogate silently becomes another character. */
function refuseUnsafeText(statement: string): void {
  if (statement.includes('\0')) throw refused('The statement holds the character U+0000.', '22021')
  if (/\p{Surrogate}/u.test(statement)) throw refused('The statement holds half a surrogate pair.', '22021')
  // three bytes of UTF-8 a UTF-16 unit at most: the exact count is only needed near the limit
  if (statement.length * 3 <= maxStatementBytes) return
  if (new TextEncoder().encode(statement).length > maxStatementBytes) {
    throw refused(`The statement is longer than ${maxStatementBytes} bytes. Split it.`, '54000')
  }
}

const viewNames: ReadonlySet<string> = new Set(views.map(({ name }) => name))

function sourcesOf(item: unknown): Source[] {
  const node = nodeOf(item)
  if (node?.type === 'JoinExpr') return [...sourcesOf(node.fields['larg']), ...sourcesOf(node.fields['rarg'])]
  if (node?.type !== 'RangeVar') return []
  const view = String(node.fields['relname'])
  if (!viewNames.has(view)) return []
  const alias = (node.fields['alias'] as Fields | undefined)?.['aliasname']
  return [{ view, alias: String(alias ?? view) }]
}
