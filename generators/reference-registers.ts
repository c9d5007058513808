import type { Requirement } from '../schemas/requirements.ts'
import type { OpenPoint, Variant } from '../schemas/open-points.ts'
import { table } from './markdown.ts'

/** The section of the reference that lists the requirements. */
export function requirementTable(requirements: readonly Requirement[]): string {
  const rows = requirements.map(({ id, level, conditional, side, text, clause }) => [
    id,
    conditional ? `${level}, conditional` : level,
    side,
    text,
    `${clause.section} (lines ${clause.lines})`,
  ])
  return `## Requirements

The contract states a must; a should follows from it; observe marks an open point. A conditional requirement holds only
where its subject occurs.

${table(['Id', 'Level', 'Side', 'Requirement', 'Clause'], rows)}`
}

/** The section of the reference that lists what the contract leaves open. */
export function openPointTable(openPoints: readonly OpenPoint[]): string {
  const rows = openPoints.map(({ id, number, question, variants, default: usual }) => [
    `\`${id}\``,
    number,
    question,
    variants.map(variantText).join(', '),
    `\`${usual}\``,
  ])
  return `## Open points

What the contract leaves to the implementation. A variant is neutral unless it says otherwise.

${table(['Id', 'Number', 'Question', 'Variants', 'Default'], rows)}`
}

function variantText({ slug, standing, requirement }: Variant): string {
  const consequence = {
    neutral: '',
    warns: ` (warns: ${requirement})`,
    departs: ` (departs from ${requirement})`,
  }
  return `\`${slug}\`${consequence[standing]}`
}
