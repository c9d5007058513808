import { requirements, type CheckResult } from '../../schemas/index.ts'
import { SYMBOLS, type Paint } from './paint.ts'

type Outcome = CheckResult['outcome']

/** Outcomes from the one that weighs most: a clause is as good as the worst of its checks. */
const BY_WEIGHT: Outcome[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'waived',
  'not-exercised',
  'observed',
  'pass',
]

interface Row {
  outcome: Outcome
  requirement: string
  level: string
  clause: string
  found: string
}

/**
 * The table clause by clause: one row for a requirement, in the order of the contract. A requirement that holds
 * for every view takes one row while all views agree, and one for each view when they do not.
 */
export function clauseTable(results: readonly CheckResult[], paint: Paint, width: number): string {
  const rows = families(results).flatMap(([family, members]) => rowsOf(family, members))
  const wide = (key: keyof Row) => Math.max(...rows.map((row) => row[key].length))
  const [requirement, level] = [wide('requirement'), wide('level')]
  const clause = Math.min(wide('clause'), 56)
  return rows
    .map((row) => {
      const { mark, style } = SYMBOLS[row.outcome]
      const left = `${row.requirement.padEnd(requirement)}  ${row.level.padEnd(level)}  ${cut(row.clause, clause).padEnd(clause)}  `
      return ` ${paint(style, mark)} ${left}${cut(row.found, Math.max(20, width - left.length - 4))}`
    })
    .join('\n')
}

/** Results by requirement, members of a family (`REQ-VIEW-TYPES:v_formulas`) together. */
function families(results: readonly CheckResult[]): [string, CheckResult[]][] {
  const order = new Map<string, CheckResult[]>(requirements.map(({ id }) => [familyOf(id), []]))
  for (const result of results) order.get(familyOf(result.requirement))?.push(result)
  return [...order].filter(([, members]) => members.length > 0)
}

const familyOf = (id: string): string => id.replace(/:v_.*/, '')

function rowsOf(family: string, members: CheckResult[]): Row[] {
  const ids = [...new Set(members.map(({ requirement }) => requirement))]
  const outcomes = new Set(members.map(({ outcome }) => outcome))
  if (ids.length > 1 && outcomes.size > 1) {
    return ids.flatMap((id) =>
      rowsOf(
        id,
        members.filter(({ requirement }) => requirement === id),
      ),
    )
  }
  const [first] = members as [CheckResult]
  const outcome = BY_WEIGHT.find((outcome) => outcomes.has(outcome))!
  const worst = members.find((member) => member.outcome === outcome)!
  return [
    {
      outcome,
      requirement: family,
      level: first.level,
      clause: ids.length > 1 ? 'every view, its table of fields' : shortClause(first.clause),
      found:
        ids.length > 1
          ? `${ids.length} views`
          : outcome === 'pass' && members.length > 1
            ? `${members.length} checks`
            : worst.message,
    },
  ]
}

/**
 * The first place that says it, by its last heading, and the lines: `Execute a statement, rule 4 (line 229)`. A
 * failure shows the whole clause.
 */
function shortClause(clause: string): string {
  const [, places = clause, lines = ''] = /^(.*) (\(lines? .*\))$/.exec(clause) ?? []
  const [place = ''] = places.split('; ')
  return `${place.split(' > ').at(-1)} ${lines}`
}

const cut = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
