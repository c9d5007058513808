import { requirements, type CheckResult } from '../../schemas/index.ts'

type Outcome = CheckResult['outcome']

/** Outcomes, the most severe first: a requirement has the most severe outcome of its checks. */
const BY_SEVERITY: Outcome[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'waived',
  'not-exercised',
  'observed',
  'pass',
]

export interface RequirementRow {
  outcome: Outcome
  requirement: string
  level: string
  /** Where the contract states the requirement. */
  place: string
  found: string
}

/**
 * The results as one row for each requirement, in the order of the contract. A requirement on every view takes one row
 * if all views have the same outcome, else one row for each view.
 */
export const requirementRows = (results: readonly CheckResult[]): RequirementRow[] =>
  [...families(results)].flatMap(([family, members]) => rowsOf(family, members))

/**
 * Results by requirement, in the order of the contract; a family (`REQ-VIEW-TYPES:v_formulas`) makes one entry. Unknown
 * requirements, from another version of the suite, come last.
 */
export function families<T extends { requirement: string }>(results: readonly T[]): Map<string, T[]> {
  const known = new Map<string, T[]>(requirements.map(({ id }) => [familyOf(id), []]))
  for (const result of results) {
    const family = familyOf(result.requirement)
    const members = known.get(family)
    if (members) members.push(result)
    else known.set(family, [result])
  }
  return new Map([...known].filter(([, members]) => members.length > 0))
}

const familyOf = (id: string): string => id.replace(/:v_.*/, '')

function rowsOf(family: string, members: CheckResult[]): RequirementRow[] {
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
  const outcome = BY_SEVERITY.find((outcome) => outcomes.has(outcome))!
  const worst = members.find((member) => member.outcome === outcome)!
  return [
    {
      outcome,
      requirement: family,
      level: first.level,
      place: ids.length > 1 ? 'every view, table of fields' : shortPlace(first.clause),
      found:
        ids.length > 1
          ? `${ids.length} views`
          : outcome === 'pass' && members.length > 1
            ? `${members.length} checks`
            : worst.message,
    },
  ]
}

/** The last heading of the first place: `Execute a statement, rule 4`. The details of a failure show all places. */
const shortPlace = (clause: string): string => clause.split('; ')[0]!.split(' > ').at(-1)!
