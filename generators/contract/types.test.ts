import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { load, type Sources } from './load.ts'
import { generateTypes } from './types.ts'

const directory = mkdtempSync(join(tmpdir(), 'types-'))
afterAll(() => rmSync(directory, { recursive: true }))

const sources = load(process.cwd())
const [types] = await generateTypes(sources)

/** Each line below a `@ts-expect-error` must be an error; no other line may be one. */
const usage = `
import type * as t from './types.ts'

declare const bioprocess: t.Bioprocess
declare const result: t.FormulaResult
export const same: t.Bioprocess = { ...bioprocess, parent_id: null, qc: { status: 'passed', failure_mode: null } }
export const event: t.Bioprocess['events'][number] = { kind: 'of the vendor' }
export const point: t.TimeseriesPoint = { id: 'a', timestamp: 'b', value: null, data_item_id: null }
export const text: t.BioprocessQuantityData['value'] = 'a text'
export const view: t.ViewName = 'v_experiments'
export const row: t.ViewRows['v_timeseries']['statistics'] = {} as t.Statistics
export const single: t.FormulaResult = { ...result, timeseries: null, timeseries_statistics_sum: null }

declare const joined: t.TimeseriesWithBioprocess
export const unmatched: t.TimeseriesWithBioprocess = { ...joined, id: null, name: null, duration_ms: null, events: null }
export const matched: t.TimeseriesWithBioprocess = { ...joined, ...bioprocess }

// @ts-expect-error a column of the left view, which always has a row
export const j: t.TimeseriesWithBioprocess = { ...joined, unit: null }
// @ts-expect-error a column that may come from no row
export const k: string = joined.last_updated_at
// @ts-expect-error a column that is never null
export const a: t.Bioprocess = { ...bioprocess, name: null }
// @ts-expect-error a state the contract does not list
export const b: t.Bioprocess = { ...bioprocess, status: 'Running' }
// @ts-expect-error data is always empty
export const c: t.Bioprocess = { ...bioprocess, data: [1] }
// @ts-expect-error a column the view does not have
export const d: t.ArchivedRecord = { record_id: 'a', table_name: 'b', archived_at: 'c', last_updated_at: 'd' }
// @ts-expect-error a missing column
export const e: t.ArchivedRecord = { record_id: 'a', table_name: 'b' }
// @ts-expect-error a key of a nested object
export const f: t.Bioprocess = { ...bioprocess, qc: { status: 'passed' } }
// @ts-expect-error a view that does not exist
export const g: t.ViewName = 'v_events'
// @ts-expect-error neither a text nor a number
export const h: t.BioprocessQuantityData['value'] = true
// @ts-expect-error times have to be numbers
export const i: t.FormulaSeries = { data: [1], times_ms: ['1'] }
`

describe('types.ts', () => {
  test('accepts valid rows and rejects invalid ones', () => {
    expect(compile(types!.text)).toBe('')
  })

  test('fails the usage test if a type is too loose', () => {
    expect(compile(types!.text.replace('name: string', 'name: any'))).toContain('TS2578')
    expect(compile(types!.text.replace('data: never[]', 'data: unknown[]'))).toContain('TS2578')
  })

  test('fails the usage test if a type is too strict', () => {
    expect(compile(types!.text.replace('parent_id: string | null', 'parent_id: string'))).toContain('TS2322')
    const right = "last_updated_at: Bioprocess['last_updated_at'] | null"
    expect(compile(types!.text.replace(right, "last_updated_at: Timeseries['last_updated_at']"))).toContain(
      'TS2578',
    )
  })

  test('declare every title once', () => {
    const names = [...types!.text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(sources.documents.map(({ schema }) => schema.title)))
    expect(names).toEqual(expect.arrayContaining(['OtherEvent', 'StatementStatus', 'ViewName', 'ViewRows']))
  })

  test('rejects two different schemas with one title', async () => {
    const twice = withSchema({ title: 'Volume', type: 'object', properties: { litres: { type: 'number' } } })
    await expect(generateTypes(twice)).rejects.toThrow('Two different schemas have the title Volume')
  })

  test('rejects a title that is no name of a type', async () => {
    const words = withSchema({ title: 'Batch of medium', type: 'object', properties: {} })
    await expect(generateTypes(words)).rejects.toThrow('has the title "Batch of medium"')
  })

  test('declares local definitions', async () => {
    const properties = { title: { $ref: '#/$defs/part' }, items: { type: 'string' } } as const
    const $defs = {
      part: { title: 'Part', type: 'object', properties: { size: { type: 'number' } } },
    } as const
    const [file] = await generateTypes(withSchema({ title: 'Whole', type: 'object', properties, $defs }))
    expect(file!.text).toContain('export interface Part {\n  size?: number\n}')
    expect(file!.text).toContain('export interface Whole {\n  title?: Part\n  items?: string\n}')
  })

  test('inlines a definition without a title, and the properties of definitions in allOf', async () => {
    const $defs = {
      size: { type: 'integer' },
      sized: { title: 'Sized', type: 'object', properties: { size: { $ref: '#/$defs/size' } } },
    } as const
    const range = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } as const
    const allOf = [{ $ref: '#/$defs/sized' }, { not: { required: ['size', 'range'] } }]
    const whole = { title: 'Whole', type: 'object', properties: { range }, allOf, $defs } as const
    const [file] = await generateTypes(withSchema(whole))
    expect(file!.text).toContain('export interface Sized {\n  size?: number\n}')
    expect(file!.text).toContain(
      'export interface Whole {\n  range?: readonly [number, number]\n  size?: number\n}',
    )
  })
})

function compile(text: string): string {
  writeFileSync(join(directory, 'types.ts'), text)
  writeFileSync(join(directory, 'usage.ts'), usage)
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext']
  try {
    return execFileSync(process.execPath, [tsc, ...flags, '--types', '', join(directory, 'usage.ts')], {
      encoding: 'utf8',
      cwd: directory,
    })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

function withSchema(schema: JsonSchema): Sources {
  const $id = 'https://bioprocess-sql-contract.example/schemas/extra.schema.json'
  return { ...sources, documents: [...sources.documents, { name: 'extra', schema: { $id, ...schema } }] }
}
