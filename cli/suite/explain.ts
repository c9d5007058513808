import { defects } from '../../conformance/generated/defects.ts'
import { checks } from '../../conformance/index.ts'
import { invariants } from '../../invariants/list.ts'
import {
  contractPage,
  findOpenPoint,
  openPointAnchor,
  requirementAnchor,
  requirements,
  sentenceOf,
} from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'

type Requirement = (typeof requirements)[number]
type Line = readonly [name: string, text: string]

/**
 * What the contract says at an id, how the suite tests it, and an example of a defect.
 *
 * @param id of a check, a requirement, an open point or an invariant of the rows; also a former id or number of an open point
 * @throws CommandError for an unknown id
 */
export function explain(id: string): string {
  const point = findOpenPoint(id)
  if (point) {
    const variants = point.variants.map(({ slug, text, standing, requirement }): Line => [
      slug === point.default ? `${slug} (default)` : slug,
      `${text} ${requirement === undefined ? `(${standing})` : `(${standing}: ${requirement})`}`,
    ])
    return lines(`${point.id}  ${point.number}`, [
      ['question', point.question],
      ...variants,
      ['observed by', point.probe],
      ['contract', point.clause.section],
      ['page', `${contractPage}#${openPointAnchor(point.id)}`],
    ])
  }
  const invariant = invariants.find((each) => each.id === id.toUpperCase())
  if (invariant)
    return lines(invariant.id, [
      ['invariant', invariant.title],
      ['judges', invariant.judges.join(', ')],
      ['needs whole', invariant.whole.join(', ') || 'no view'],
    ])
  const check = checks.find((each) => each.id === id.toLowerCase())
  const wanted = (check?.requirement ?? id).toLowerCase()
  const requirement = requirements.find((each) => each.id.toLowerCase() === wanted)
  if (!requirement)
    throw new CommandError(
      `There is no check, requirement, open point or invariant "${id}". conformance --list lists the checks.`,
      EXIT.usage,
    )
  const all = checks.filter((each) => each.requirement === requirement.id)
  if (!check)
    return lines(`${requirement.id}  (${requirement.level})`, [
      ...ofRequirement(requirement, requirement.check),
      ...all.map((each): Line => ['check', `${each.id}: ${each.title}`]),
    ])
  // the text on a requirement describes all of its checks
  const how =
    all.length === 1 ? requirement.check : `${all.length} checks; explain ${requirement.id} says what they do`
  return lines(`${check.id}  ${requirement.id}  (${requirement.level})`, [
    ['title', check.title],
    ...(defects[check.id] ?? []).map((defect): Line => ['catches', defect]),
    ...ofRequirement(requirement, how),
  ])
}

const ofRequirement = (requirement: Requirement, how: string): Line[] => [
  ['requirement', sentenceOf(requirement)],
  ['checked by', how],
  ...(requirement.note === undefined ? [] : [['ruling', requirement.note] as const]),
  ['contract', requirement.clause.section],
  ['page', `${contractPage}#${requirementAnchor(requirement.id)}`],
]

function lines(heading: string, details: readonly Line[]): string {
  const width = Math.max(...details.map(([name]) => name.length))
  return [heading, ...details.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), ''].join('\n')
}
