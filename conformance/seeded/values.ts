import { contract, views, type ViewName } from '../../schemas/index.ts'
import type { DateSpelling } from '../connection/values/date-literal.ts'
import { showPlain, type JsonObject } from '../connection/values/json.ts'
import { updatesOf } from '../connection/values/updates.ts'
import { MARGIN } from '../comparisons/splitting-date.ts'
import type { DateBound } from '../search/statements/syntax.ts'
import { freeDates, type Values } from '../search/statements/values.ts'
import type { ReferenceClient } from './reference.ts'

/** Reads the values from the reference, because those of the target may be wrong. */
export async function readValues(reference: ReferenceClient, spelling: DateSpelling): Promise<Values> {
  const dates = new Map<ViewName, DateBound[]>()
  const sizes = new Map<ViewName, number>()
  for (const { name } of views) {
    const count = (await reference.rows(`SELECT COUNT(*) AS n FROM ${name}`)) as JsonObject[]
    sizes.set(name, Number(showPlain(count[0]!['n'])))
    if ((contract.delta.views as readonly ViewName[]).includes(name))
      dates.set(name, await splittingDates(reference, name, spelling))
  }
  return { dates: (view) => dates.get(view) ?? [], size: (view) => sizes.get(view) ?? 0 }
}

async function splittingDates(
  reference: ReferenceClient,
  name: ViewName,
  spelling: DateSpelling,
): Promise<DateBound[]> {
  const { column } = contract.delta
  const rows = await reference.rows(`SELECT DISTINCT ${column} FROM ${name} ORDER BY ${column}`)
  return freeDates(updatesOf(rows as JsonObject[]), MARGIN, spelling)
}
