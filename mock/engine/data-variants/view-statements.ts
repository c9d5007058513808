import type { ViewName } from '../../../schemas/generated/types.ts'
import { view as definitionOf, type ViewDefinition } from '../../../schemas/views.ts'
import type { DataVariants } from '../engine.ts'
import { changes } from './changes.ts'
import type { Change, Expression, ViewChange } from './view-change.ts'

/** The views that some variants change. */
export function changedViews(variants: DataVariants): ViewName[] {
  return [...new Set(changesOf(variants).flatMap((change) => Object.keys(change) as ViewName[]))]
}

/**
 * The statement that makes a view as some variants have it: its columns in the contract's order, every value
 * computed from the table behind it.
 */
export function createView(name: ViewName, variants: DataVariants): string {
  const own = changesOf(variants).flatMap((change) => change[name] ?? [])
  const definition = definitionOf(name)
  const columns = [...columnsOf(definition, own)].map(([column, value]) => `${value} AS ${column}`)
  const conditions = own.flatMap(({ where }) => (where === undefined ? [] : [`(${where})`]))
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  return `CREATE VIEW public.${name} AS SELECT ${columns.join(', ')} FROM plant.${definition.table} AS base${where}`
}

/** In the order of the table of knobs: later ones build on earlier ones. */
function changesOf(variants: DataVariants): Change[] {
  return Object.entries(changes).flatMap(([knob, of]) => of[variants[knob] ?? ''] ?? [])
}

function columnsOf({ columns }: ViewDefinition, own: readonly ViewChange[]): Map<string, string> {
  const values = new Map(columns.map(({ name }) => [name, `base.${name}`]))
  const of = (name: string) => values.get(name) ?? 'NULL'
  const set = (name: string, expression: Expression | null) => {
    if (expression === null) values.delete(name)
    else values.set(name, expression(of(name), of))
  }
  for (const { columns = {} } of own)
    for (const [name, expression] of Object.entries(columns)) set(name, expression)
  return values
}
