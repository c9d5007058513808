import type { Source } from '../../syntax/reading.ts'
import type { Column } from '../../statement.ts'
import type { Field } from './wire.ts'

/**
 * Names the source of each column of a view. The database reports the view; if a view occurs twice in the FROM clause,
 * its second occurrence begins where its columns repeat.
 *
 * @param views the name of each view by its OID
 * @param rename spells the name of a column
 */
export function nameSources(
  fields: readonly Field[],
  sources: readonly Source[],
  views: ReadonlyMap<number, string>,
  rename = (name: string) => name,
): Column[] {
  const occurrences = new Map<string, { nth: number; seen: Set<number> }>()
  return fields.map(({ name: printed, type, table, attribute }) => {
    const name = rename(printed)
    const view = views.get(table)
    if (view === undefined) return { name, type }
    const aliases = sources.filter((source) => source.view === view).map(({ alias }) => alias)
    const occurrence = occurrences.get(view) ?? { nth: 0, seen: new Set() }
    if (occurrence.seen.has(attribute) && occurrence.nth + 1 < aliases.length) {
      occurrence.nth++
      occurrence.seen.clear()
    }
    occurrence.seen.add(attribute)
    occurrences.set(view, occurrence)
    const source = aliases[occurrence.nth]
    return source === undefined ? { name, type } : { name, type, source }
  })
}
