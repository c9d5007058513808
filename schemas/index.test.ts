import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  contract,
  findOpenPoint,
  openapi,
  openPoints,
  requirement,
  requirements,
  schemas,
  statements,
  undocumented,
  validators,
  view,
  views,
} from './index.ts'

const column = (name: string) =>
  view('v_bioprocess_quantity_data').columns.find((found) => found.name === name)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

describe('the entry of schemas/', () => {
  test('exports the content of the JSON files unchanged', () => {
    expect(contract).toEqual(read('contract.json'))
    expect(requirements).toEqual(read('generated/requirements.json'))
    expect(statements).toEqual(read('statements.json'))
    expect(read('generated/openapi.json')).toEqual({ 'x-generated': expect.any(String), ...openapi })
    for (const [name, schema] of Object.entries(schemas)) {
      expect(schema).toEqual(read(`${name}.schema.json`))
    }
  })

  test('has a validator for every schema, and the registers conform to their schemas', () => {
    expect(Object.keys(validators)).toEqual(Object.keys(schemas))
    expect(validators.requirements(requirements)).toBe(true)
    for (const { id, ...entry } of openPoints) {
      expect(entry, id).toEqual(read(`open-points/${id.replace('.', '/')}.json`))
      expect(validators['open-point'](entry), id).toBe(true)
    }
  })

  test('lists the views in the order of the contract', () => {
    expect(views.map(({ name }) => name)).toEqual(contract.views)
    expect(view('v_timeseries_data')).toMatchObject({ table: 'timeseries_data', title: 'TimeseriesPoint' })
  })

  test('marks the columns that are null only if timeseries is null', () => {
    const conditional = views.flatMap(({ columns }) => columns.filter((column) => column.nullOnlyWithout))
    expect(conditional).toHaveLength(10)
    expect(
      conditional.every(({ name, nullable, nullOnlyWithout }) => {
        return name.startsWith('timeseries_') && nullable && nullOnlyWithout === 'timeseries'
      }),
    ).toBe(true)
  })

  test('describes the types of a column without null', () => {
    expect(column('value')).toMatchObject({ types: ['string', 'number'], nullable: false, postgres: 'jsonb' })
    expect(column('measurement_info')).toMatchObject({ types: ['object'], nullable: true, postgres: 'jsonb' })
    expect(column('last_updated_at')).toMatchObject({ format: 'iso8601-zoned', postgres: 'timestamptz' })
    expect(view('v_timeseries_data').columns.filter(({ optional }) => optional)).toMatchObject([
      { name: 'last_updated_at' },
    ])
  })

  test('finds an open point by its id, its number and its former id', () => {
    const names = ['timestamps.format', 'NS-41', 'ts.format']
    expect(names.map((name) => findOpenPoint(name)?.id)).toEqual(Array(3).fill('timestamps.format'))
    expect(findOpenPoint('toString')).toBeUndefined()
  })

  test('exports the open points in the shape of version 0.1 as undocumented', () => {
    expect(undocumented.find(({ id }) => id === 'NS-41')).toMatchObject({
      knob: 'timestamps.format',
      default: 'micros-offset',
      text: expect.any(String),
    })
    expect(undocumented.filter(({ knob }) => knob === null).map(({ id }) => id)).toEqual([
      'NS-10',
      'NS-11',
      'NS-23',
      'NS-62',
    ])
  })

  test('finds a requirement, and throws an error that names the register for an unknown id', () => {
    expect(requirement('REQ-HTTP-1')).toMatchObject({ side: 'server', level: 'must' })
    expect(() => requirement('REQ-NONE')).toThrow('use an id of schemas/requirements.json')
  })
})
