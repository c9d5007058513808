import { contract } from '../generated/contract.ts'
import type { ViewName } from '../generated/types.ts'
import { nameOf, rowsOf, type Invariant, type Row, type Tables, type Violation } from './invariant.ts'

/** The seven relations of the contract resolve: D9 to D15. */
export const relations: readonly Invariant[] = contract.relations.map(({ from, to }, index) => {
  const id = `D${9 + index}`
  const [view, column] = from.split('.') as [ViewName, string]
  const [target, key] = to.split('.') as [ViewName, string]
  return {
    id,
    title: `${from} refers to ${to}`,
    check: (tables) => {
      const known = new Set(rowsOf(tables, target).map((row) => row[key]))
      return rowsOf(tables, view)
        .filter((row) => !known.has(row[column]))
        .map((row) => ({
          invariant: id,
          view,
          row: nameOf(row),
          message: `${column} ${row[column]} is not in ${target}.`,
        }))
    },
  }
})

/** No two rows of a view have the same key. */
export function unique(
  id: string,
  title: string,
  views: readonly ViewName[],
  keyOf: (row: Row) => string,
): Invariant {
  const check = (tables: Tables) =>
    views.flatMap((view) => {
      const seen = new Set<string>()
      return rowsOf(tables, view).flatMap((row): Violation[] => {
        const key = keyOf(row)
        const repeated = seen.has(key)
        seen.add(key)
        return repeated
          ? [{ invariant: id, view, row: nameOf(row), message: `${key} occurs more than once.` }]
          : []
      })
    })
  return { id, title, check }
}

const nameBoth = (row: Row) => `${row['id']} ${row['external_id']}`

/** Parents of bioprocesses are experiments, so none of them is a bioprocess too. */
export const parentsApart: Invariant = {
  id: 'D32',
  title: 'No experiment is a row of v_bioprocesses',
  check: (tables) => {
    const experiments = new Set(rowsOf(tables, 'v_experiments').map(nameBoth))
    return rowsOf(tables, 'v_bioprocesses')
      .filter((row) => experiments.has(nameBoth(row)))
      .map((row) => ({
        invariant: 'D32',
        view: 'v_bioprocesses',
        row: nameOf(row),
        message: 'The same row is in v_experiments.',
      }))
  },
}
