import { sqlLiteral } from '../../schemas/formats/sql-literal.ts'
import { contract, views, type ViewName } from '../../schemas/index.ts'
import type { DateSpelling } from '../connection/date-literal.ts'
import { isObject, showPlain, type JsonObject } from '../connection/json.ts'
import { columnsOf, keyOf } from '../search/columns.ts'
import type { ReferenceClient } from './reference.ts'
import type { ColumnUse, Literal } from '../search/syntax.ts'
import type { GeneratorContext } from '../search/generator-context.ts'
import { updatesOf } from '../connection/updates.ts'
import { MARGIN } from '../comparisons/splitting-date.ts'
import { freeDates, type Values } from '../search/values.ts'

/** Values of the plant for generated statements, because a literal without a matching row returns nothing. */
export interface PlantValues extends Values {
  /** Some values of a column as literals; empty if the column has only null or JSON. */
  literals(view: ViewName, column: ColumnUse): readonly Literal[]
  /** Keys of the JSON objects in a column. */
  keys(view: ViewName, column: ColumnUse): readonly string[]
}

/** The source of random statements with literals. */
export type PlantContext = GeneratorContext & { values: PlantValues }

/** Rows of each view that literals are taken from. */
const ROWS_READ = 200

/** Reads the values from the reference, because those of the target may be wrong. */
export async function readValues(reference: ReferenceClient, spelling: DateSpelling): Promise<PlantValues> {
  const literals = new Map<string, Literal[]>()
  const keys = new Map<string, string[]>()
  const dates = new Map<ViewName, Literal[]>()
  const sizes = new Map<ViewName, number>()
  for (const { name } of views) {
    const columns = columnsOf({ view: name, alias: name })
    const order = keyOf(name).join(', ') || columns.map(({ name: column }) => column).join(', ')
    const rows = (await reference.rows(
      `SELECT * FROM ${name} ORDER BY ${order} LIMIT ${ROWS_READ}`,
    )) as JsonObject[]
    for (const column of columns) {
      const values = rows.flatMap((row) => row[column.name] ?? [])
      const texts = column.kind === 'json' ? [] : [...new Set(values.map((value) => showPlain(value, 200)))]
      literals.set(
        `${name}.${column.name}`,
        texts.map((text) => ({ is: 'literal', sql: literalOf(text) })),
      )
      keys.set(
        `${name}.${column.name}`,
        [...new Set(values.filter(isObject).flatMap(Object.keys))].slice(0, 8),
      )
    }
    const count = (await reference.rows(`SELECT COUNT(*) AS n FROM ${name}`)) as JsonObject[]
    sizes.set(name, Number(showPlain(count[0]!['n'])))
    if ((contract.delta.views as readonly ViewName[]).includes(name))
      dates.set(name, await splittingDates(reference, name, spelling))
  }
  return {
    literals: (view, { name }) => literals.get(`${view}.${name}`) ?? [],
    keys: (view, { name }) => keys.get(`${view}.${name}`) ?? [],
    dates: (view) => dates.get(view) ?? [],
    size: (view) => sizes.get(view) ?? 0,
  }
}

/** A JSON value as a SQL literal. */
const literalOf = (json: string): string =>
  json.startsWith('"') ? sqlLiteral(JSON.parse(json) as string) : json.toUpperCase()

async function splittingDates(
  reference: ReferenceClient,
  name: ViewName,
  spelling: DateSpelling,
): Promise<Literal[]> {
  const { column } = contract.delta
  const rows = await reference.rows(`SELECT DISTINCT ${column} FROM ${name} ORDER BY ${column}`)
  return freeDates(updatesOf(rows as JsonObject[]), MARGIN, spelling)
}
