import { requirements, type CheckResult } from '../../schemas/index.ts'

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

export interface ClauseRow {
  outcome: Outcome
  requirement: string
  level: string
  clause: string
  found: string
}

/**
 * The report clause by clause: one row for a requirement, in the order of the contract. A requirement that holds
 * for every view takes one row while all views agree, and one for each view when they do not.
 */
export const clauseRows = (results: readonly CheckResult[]): ClauseRow[] =>
  [...families(results)].flatMap(([family, members]) => rowsOf(family, members))

/**
 * Results by requirement in the order of the register, members of a family (`REQ-VIEW-TYPES:v_formulas`)
 * together. What this register does not know, because another version of the suite wrote it, comes last.
 */
export function families<T extends { requirement: string }>(results: readonly T[]): Map<string, T[]> {
  const known = new Map<string, T[]>(requirements.map(({ id }) => [familyOf(id), []]))
  for (const result of results) {
    const family = familyOf(result.requirement)
    known.set(family, [...(known.get(family) ?? []), result])
  }
  return new Map([...known].filter(([, members]) => members.length > 0))
}

const familyOf = (id: string): string => id.replace(/:v_.*/, '')

function rowsOf(family: string, members: CheckResult[]): ClauseRow[] {
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

/** The first place that states it, by its last heading: `Execute a statement, rule 4`. A failure shows all places. */
const shortClause = (clause: string): string => clause.split('; ')[0]!.split(' > ').at(-1)!
