import { rowRules } from '../../../invariants/index.ts'
import { tableColumns, views } from '../../../schemas/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

export const typeChecks: Check[] = views.map((view) => {
  const documented = tableColumns(view.name)
  const nulled = documented.filter(({ nullable, nullOnlyWithout }) => !nullable || nullOnlyWithout)
  return rowCheck({
    id: `views.types:${view.name}`,
    rule: rowRules.types,
    views: [view.name],
    title: `give values of the documented types in ${view.name}`,
    pass: 'types and nulls are as listed',
    // whether or not a column may be null
    cause: (expected, actual) => `${actual} in place of ${expected.replace(/ or null$/, '')}`,
    killedBy: [
      ...documented.map(({ name }) => `column-mistyped:${view.name}.${name}`),
      ...nulled.map(({ name }) => `column-nulled:${view.name}.${name}`),
      ...(view.columns.some(({ items }) => items === 'string') ? [`items-mistyped:${view.name}`] : []),
      ...(view.name === 'v_bioprocesses' ? ['delta-types-differ', 'joined-objects-as-texts'] : []),
    ],
  })
})
