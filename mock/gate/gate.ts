import { views } from '../../schemas/views.ts'
import {
  defaultSqlRules,
  insufficientPrivilege,
  type SqlRules,
  type StatementKinds,
  StatementRefused,
  type Withheld,
} from '../engine/engine.ts'
import { type Faults, findFaults } from './faults.ts'
import { beyondRules } from './rules.ts'
import { spelledNames } from './spelled-names.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  nodeOf,
  type ParsedStatement,
  parseStatements,
} from './syntax-tree.ts'

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
  /** What is executed. */
  readonly text: string
  /** Whether the statement asks for an order of its rows. */
  readonly ordered: boolean
  /** The views of the outermost FROM clause, from left to right. */
  readonly sources: readonly Source[]
  /** How the statement spells the names of its columns, by their lower case. */
  readonly spelled: () => ReadonlyMap<string, string>
  /** Whether its rows are left out of the answer. */
  readonly silent: boolean
}

/** Stands for a text without a statement, and for one that is answered without being executed. */
const nothing: Admission = {
  text: 'SELECT WHERE false',
  ordered: true,
  sources: [],
  spelled: () => new Map(),
  silent: false,
}

/**
 * Lets through read-only SELECTs over the nine views (decisions/0023, ruling 10), exactly one unless the rules say
 * otherwise. The database's own rights refuse the same things once more: this is the first of two locks, and the one
 * that words the refusal. Refuses in the order PostgreSQL does: syntax, then unknown relations, then everything else.
 *
 * @returns the statements to be executed, one after the other
 * @throws StatementRefused
 */
export function admit(
  text: string,
  kinds: StatementKinds = 'any',
  rules: SqlRules = defaultSqlRules,
): readonly Admission[] {
  refuseUnsafeText(text)
  const parsed = parseStatements(text)
  const taken = take(parsed, rules.several)
  const faults = taken.map(({ tree }) => faultsOf(tree, rules.withheld))
  const relation = faults.find((fault) => fault.relation !== undefined)?.relation
  if (relation !== undefined) {
    const message = `relation "${relation}" does not exist`
    throw new StatementRefused('unknown-relation', message, '42P01', relation)
  }
  if (taken.length === 0) return admitEmpty(rules)
  if (taken.length > 1 && rules.several === 'error')
    throw refused('The text holds several statements. Send exactly one.', '42601')
  if (rules.semicolon === 'error' && parsed.at(-1)!.length > 0)
    throw refused('This server takes no semicolon behind a statement. Leave it out.', '42601')
  const own = kinds === 'documented' ? { ...rules, accept: kinds } : rules
  return taken.map((statement, index) => {
    const admission = admitOne(statement, faults[index]!, own, text, parsed.length > 1)
    const silent = rules.several === 'all-last-result' && index < taken.length - 1
    return silent ? { ...admission, silent } : admission
  })
}

/** The statements of a text that are executed. */
function take(
  statements: readonly ParsedStatement[],
  several: SqlRules['several'],
): readonly ParsedStatement[] {
  if (several === 'first') return statements.slice(0, 1)
  return several === 'last' ? statements.slice(-1) : statements
}

function admitEmpty({ empty }: SqlRules): readonly Admission[] {
  if (empty === 'success') return [nothing]
  throw new StatementRefused('empty', 'The text is empty. Send exactly one statement.', '42601')
}

function admitOne(
  statement: ParsedStatement,
  fault: Faults,
  rules: SqlRules,
  text: string,
  isPart: boolean,
): Admission {
  const select = fieldsOf(statement.tree, 'SelectStmt')
  if (rules.accept === 'any' && (!select || fault.writes)) return nothing
  if (fault.refusal !== undefined) throw refused(fault.refusal)
  if (!select) throw refused('Only SELECT statements are accepted.')
  const reason = rules === defaultSqlRules ? undefined : beyondRules(select, rules)
  if (reason !== undefined) throw refused(reason)
  if (fault.denied !== undefined) {
    const message = `permission denied for view ${fault.denied}`
    throw new StatementRefused('other', message, insufficientPrivilege, fault.denied)
  }
  return {
    text: isPart ? partOf(text, statement) : text,
    ordered: listOf(select['sortClause']).length > 0,
    sources: listOf(select['fromClause']).flatMap(sourcesOf),
    spelled: () => spelledNames(select, text),
    silent: false,
  }
}

function partOf(text: string, { start, length }: ParsedStatement): string {
  const bytes = new TextEncoder().encode(text)
  return new TextDecoder().decode(bytes.subarray(start, length > 0 ? start + length : undefined))
}

/** The walk is recursive: a long chain of operators is as deep as it is long. */
function faultsOf(tree: Fields, withheld: Withheld | undefined): Faults {
  try {
    return findFaults([tree], withheld)
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
