import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as typed from './transcription.test-helper.ts'
import type { Row, Time } from './transcription.test-helper.ts'
import { timestampPatterns } from './formats.ts'

interface Schema {
  type?: string | string[]
  $ref?: string
  anyOf?: Schema[]
  items?: Schema
  title?: string
  description?: string
  pattern?: string
  enum?: string[]
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  if?: Schema
  then?: Schema
}

/** The permitted differences between schemas and transcription. Any other difference is an error in one of them. */
const exceptions = {
  /** Rule 5 implies the column and the table of the view omits it, so the schema has it but does not require it. */
  optional: { v_timeseries_data: [['last_updated_at', 'String', 'no', 'time']] } as Record<string, Row[]>,
  /**
   * A single-value result has no series, so these may be null if `timeseries` is null, and only then
   * (REQ-VIEW-FR-NONNULL).
   */
  nullWithoutTimeseries: [
    'timeseries_start_timestamp',
    'timeseries_offset_ms',
    'timeseries_statistics_min',
    'timeseries_statistics_max',
    'timeseries_statistics_arithmetic_mean',
    'timeseries_statistics_standard_deviation',
    'timeseries_statistics_sum',
    'timeseries_statistics_first',
    'timeseries_statistics_last',
    'timeseries_statistics_count',
  ],
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const files = (folder: string) => readdirSync(new URL(folder, import.meta.url))
const load = (path: string): Schema => read(`./${path}.schema.json`)
const property = (view: string, column: string) => load(`views/${view}`).properties?.[column]
const contract = read('./contract.json')
const viewNames = Object.keys(typed.views)
const rowsOfView = (view: object) =>
  Object.entries(view).map(([column, words]): Row => [column, ...(words as readonly [string, 'yes' | 'no'])])

const words: Record<string, string> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  object: 'Object',
  array: 'Array',
  null: 'null',
}

const times: Record<string, Time> = {
  [timestampPatterns.iso8601]: 'time',
  [timestampPatterns['iso8601-zoned']]: 'zoned',
}

const referred = (ref: string) => load(ref.replace('../', '').replace('.schema.json', ''))

/** The contract's words for a property, such as `Array of String` or `Object or null`. */
function wordsOf(schema: Schema): string {
  if (schema.$ref) return wordsOf(referred(schema.$ref))
  if (schema.anyOf) return schema.anyOf.map(wordsOf).join(' or ')
  const text = [schema.type ?? []].flat().map((type) => words[type])
  const items = schema.items?.type ? ` of ${wordsOf(schema.items)}` : ''
  return text.join(' or ') + items
}

function rowOf([column, schema]: [string, Schema]): Row {
  const type = wordsOf(schema)
  const nullable = type.includes('null') ? 'yes' : 'no'
  const time = times[schema.pattern ?? '']
  return time ? [column, type, nullable, time] : [column, type, nullable]
}

const rowsOf = (schema: Schema) => Object.entries(schema.properties ?? {}).map(rowOf)
const columnsOf = (rows: readonly Row[]) => rows.map(([column]) => column)

/** The contract writes `Array<Number>` where it means an array of numbers. */
const plain = (rows: readonly Row[]) =>
  rows.map(([column, type, ...rest]) => [column, type.replace(/<(\w+)>/, ' of $1'), ...rest])

/** Expects that an object schema requires all its keys and equals a table of the transcription. */
function expectSame(schema: Schema, rows: readonly Row[]) {
  expect(rowsOf(schema)).toEqual(plain(rows))
  expect(schema.required).toEqual(columnsOf(rows))
}

test('the transcription marks a column as nullable if its type has null', () => {
  const tables = [
    ...Object.values(typed.views).map(rowsOfView),
    ...Object.values(typed.events),
    typed.statistics,
  ]
  for (const [column, type, nullable] of tables.flat()) {
    expect([column, nullable]).toEqual([column, type.endsWith(' or null') ? 'yes' : 'no'])
  }
})

test('schemas/ has one file for each view and for each event kind', () => {
  expect(files('./views').sort()).toEqual(viewNames.map((name) => `${name}.schema.json`).sort())
  const titles = files('./events').map((file) => read(`./events/${file}`).title)
  expect(titles.sort()).toEqual(Object.keys(typed.events).sort())
})

test.each(Object.entries(typed.views))('the schema of %s has the columns of the contract', (name, view) => {
  const rows = rowsOfView(view)
  const schema = load(`views/${name}`)
  const withSeries = { ...schema.properties }
  for (const [column, narrowed] of Object.entries(schema.then?.properties ?? {})) {
    withSeries[column] = { ...withSeries[column], ...narrowed }
  }
  const files = `schemas/transcription.test-helper.ts and schemas/views/${name}.schema.json`
  const transcribed = [...rows, ...(exceptions.optional[name] ?? [])]
  expect(rowsOf({ properties: withSeries }), `${files} have the same columns`).toEqual(transcribed)
  expect(schema.required, `${files} require the same columns`).toEqual(columnsOf(rows))
})

test('only v_formula_results allows null conditionally, for ten columns of rows without timeseries', () => {
  const conditional = viewNames.filter((name) => load(`views/${name}`).if)
  expect(conditional).toEqual(['v_formula_results'])

  const { properties, if: condition, then } = load('views/v_formula_results')
  expect(condition).toEqual({ properties: { timeseries: { type: 'object' } }, required: ['timeseries'] })
  expect(Object.keys(then?.properties ?? {})).toEqual(exceptions.nullWithoutTimeseries)

  const strict = new Map(rowsOfView(typed.views.v_formula_results).map((row) => [row[0], row[2]]))
  const relaxed = rowsOf({ properties }).filter(([column, , nullable]) => nullable !== strict.get(column))
  expect(columnsOf(relaxed)).toEqual(exceptions.nullWithoutTimeseries)
})

test('the schemas of objects in rows have the keys of the contract', () => {
  expectSame(load('objects/statistics'), typed.statistics)
  expectSame(load('objects/series'), typed.formulaTimeseries)
  expectSame(load('objects/volume'), typed.volume)
  expect(load('objects/qc').required).toEqual(typed.qcKeys)
  expect(Object.values(load('objects/qc').properties ?? {}).map(wordsOf)).toEqual(['', ''])
})

test('the schemas of views refer to the objects that the contract describes', () => {
  expect(property('v_bioprocesses', 'qc')?.$ref).toContain('/qc.')
  expect(property('v_timeseries', 'statistics')?.$ref).toContain('/statistics.')
  expect(property('v_formula_results', 'timeseries')?.anyOf?.[0]?.$ref).toContain('/series.')
  expect(property('v_bioprocesses', 'data')?.maxItems).toBe(0)
})

test('the schemas of events have the fields of the contract and allow other kinds', () => {
  const kinds = property('v_bioprocesses', 'events')?.items?.anyOf ?? []
  const documented = kinds.flatMap(({ $ref }) => ($ref ? [referred($ref)] : []))
  expect(documented.map(({ title }) => title)).toEqual(Object.keys(typed.events))
  for (const schema of documented) {
    expectSame(schema, typed.events[schema.title ?? ''] ?? [])
    const volume = schema.properties?.['volume']
    if (volume) expect(volume.$ref).toContain('/volume.')
  }
  const others = kinds.filter(({ $ref }) => !$ref)
  expect(others).toMatchObject([{ type: 'object' }])
  expect(others[0]?.properties).toBeUndefined()
})

test('the schemas of request and envelope have the fields and states of the contract', () => {
  const envelope = load('envelope')
  expectSame(load('request'), typed.request)
  expectSame(envelope, typed.response)
  expectSame(envelope.properties?.['status'] ?? {}, typed.responseStatus)
  expect(envelope.properties?.['status']?.properties?.['state']?.enum).toEqual(typed.statementStates)
  expect(property('v_bioprocesses', 'status')?.enum).toEqual(typed.bioprocessStates)
})

test('the schemas mention the examples of the contract without enforcing them', () => {
  const kinds = files('./events').map((file): Schema => read(`./events/${file}`))
  const fields = new Map(kinds.flatMap(({ properties }) => Object.entries(properties ?? {})))
  for (const [field, values] of Object.entries(typed.eventExamples)) {
    expect(fields.get(field)?.enum).toBeUndefined()
    for (const value of values) expect(fields.get(field)?.description).toContain(value)
  }
  const state = property('v_formulas', 'state')
  expect(state?.enum).toBeUndefined()
  for (const value of typed.knownFormulaStates) expect(state?.description).toContain(value)
  expect(property('v_quantities', 'data_type')?.enum).toBeUndefined()
})

test('contract.json has the endpoint, the relations, the limits and the messages of the contract', () => {
  const { method, path, headers } = typed.endpoint
  expect(contract.endpoint).toEqual({ method, path, requestHeaders: headers })
  expect(contract.views).toEqual(viewNames)
  expect(contract.relations).toEqual(typed.relations.map(([from, to]) => ({ from, to })))
  const { left, right, on } = contract.join
  expect(typed.relations).toContainEqual([`${left}.${on[0]}`, `${right}.${on[1]}`])
  expect(contract.eventKinds).toEqual(Object.keys(typed.events))
  expect(contract.formulaExpressions).toEqual(typed.formulaExpressions)
  expect(contract.limits).toEqual({
    executionMs: typed.limits.executionSeconds * 1000,
    timeoutStatus: typed.limits.timeoutStatus,
  })
  expect(contract.messages).toMatchObject({
    unknownView: typed.messages.unknownView,
    exception: typed.messages.unexpected,
    jsonDecode: typed.messages.syntax,
  })
})

test('contract.json lists the views that have last_updated_at', () => {
  const changed = viewNames.filter((name) => name !== typed.viewWithoutLastUpdatedAt)
  const { column, views, implied } = contract.delta
  expect(column).toBe('last_updated_at')
  expect([...views, ...implied].sort()).toEqual(changed.sort())
  expect(implied).toEqual(Object.keys(exceptions.optional))
})

test('contract.json lists the views whose key is their id', () => {
  const identified = viewNames.filter((name) => contract.keys[name].join() === 'id')
  expect(contract.uniqueIds).toEqual(identified)
})
