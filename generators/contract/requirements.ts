import type { Contract } from '../../schemas/contract.ts'
import type { Requirement } from '../../schemas/requirements.ts'

/** An entry of schemas/requirements.json. `{view}` in its id makes it a family: one requirement for each view. */
export type Entry = Requirement & {
  /** What `{ofView}` stands for in the texts of a family, by view. */
  readonly ofView?: Readonly<Record<string, string>>
}

/**
 * Each requirement with its own texts. Families that follow each other are listed view by view.
 *
 * @throws Error for a view whose text is missing in a family
 */
export function expand(entries: readonly Entry[], contract: Contract): Requirement[] {
  const isFamily = ({ id }: Entry) => id.includes('{view}')
  return entries.flatMap((entry, place) => {
    if (!isFamily(entry)) return [entry]
    if (place > 0 && isFamily(entries[place - 1]!)) return []
    const rest = entries.slice(place)
    const end = rest.findIndex((other) => !isFamily(other))
    const families = end < 0 ? rest : rest.slice(0, end)
    return contract.views.flatMap((view) => families.map((family) => memberOf(family, view, contract)))
  })
}

function memberOf({ ofView, ...family }: Entry, view: string, { tables }: Contract): Requirement {
  const texts: Readonly<Record<string, string | undefined>> = {
    view,
    table: tables[view as keyof typeof tables],
    ofView: ofView?.[view],
  }
  return JSON.parse(
    JSON.stringify(family).replaceAll(/\{(view|table|ofView)\}/g, (_, name: string) => {
      const text = texts[name]
      if (text === undefined)
        throw new Error(
          `${family.id} has no {${name}} for ${view}. Add it to schemas/${name === 'table' ? 'contract' : 'requirements'}.json.`,
        )
      return JSON.stringify(text).slice(1, -1)
    }),
  ) as Requirement
}
