import type { Requirement } from '../schemas/generated/requirements.ts'
import type { Undocumented, Variant } from '../schemas/generated/undocumented.ts'
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

A must is stated by the contract, a should follows from it, observe marks a silence. A conditional one holds nobody up
where its subject never occurs.

${table(['Id', 'Level', 'Side', 'Requirement', 'Clause'], rows)}`
}

/** The section of the reference that lists what the contract does not show. */
export function undocumentedTable(undocumented: readonly Undocumented[]): string {
  const rows = undocumented.map((entry) => [
    entry.id,
    entry.text,
    entry.knob ? `\`${entry.knob}\`` : '',
    entry.variants.map(variantText).join(', '),
    `\`${entry.default}\``,
  ])
  return `## Undocumented

What the contract does not show. The reference server has a knob for most of it. A variant is neutral unless it says
otherwise.

${table(['Id', 'Silence', 'Knob', 'Variants', 'Default'], rows)}`
}

function variantText({ slug, standing, requirement }: Variant): string {
  const consequence = {
    neutral: '',
    warns: ` (warns: ${requirement})`,
    departs: ` (departs from ${requirement})`,
  }
  return `\`${slug}\`${consequence[standing]}`
}
