import { expect, test } from 'vitest'
import { contract } from '../../schemas/index.ts'
import { documentedKind, documentedKinds } from '../search/classify.ts'
import { clausesOf, features } from '../search/features.ts'
import { generate } from './generate.ts'
import { readable } from '../search/generator-context.ts'
import { randomOf } from '../search/random.ts'
import { reductions } from '../search/reductions.ts'
import { render } from '../search/render.ts'
import type { PlantValues } from './values.ts'

const literal = (sql: string) => ({ is: 'literal', sql }) as const
const values: PlantValues = {
  literals: (_, { kind }) =>
    ({
      text: [literal("'O''Neill'"), literal("'b'")],
      instant: [literal("'2025-07-10T14:00:09.563852+00:00'")],
      number: [literal('1.5'), literal('2')],
      boolean: [literal('TRUE')],
      json: [],
    })[kind],
  keys: () => ['status'],
  dates: () => [{ ...literal("'2025-12-01'"), date: true }],
  size: () => 50,
}

function many(seed: number) {
  const context = { random: randomOf(seed), values, views: readable }
  return Array.from({ length: 2000 }, () => generate(context))
}

const queries = many(1)

test('generate repeats its statements for the same seed only', () => {
  expect(many(1).map(render)).toEqual(queries.map(render))
  expect(many(2).map(render)).not.toEqual(queries.map(render))
})

test('generate makes mostly documented statements, of every kind', () => {
  const kinds = queries.map(documentedKind)
  for (const kind of Object.keys(documentedKinds))
    expect(kinds.filter((own) => own === kind).length, kind).toBeGreaterThan(100)
  expect(kinds.filter(Boolean).length).toBeGreaterThan(1000)
  expect(kinds.filter((kind) => kind === undefined).length).toBeGreaterThan(500)
})

test('generate uses every view, clause, operator and connective', () => {
  const used = new Set(queries.flatMap((query) => [...features(query), ...clausesOf(query)]))
  const expected = `AND|OR|NOT|IS NULL|IS NOT NULL|->>|COALESCE|COUNT|SUM|AVG|LEFT JOIN|JOIN|instant =|instant <>|
    instant <|instant <=|instant >|instant >=|text =|text <>|text IN|text NOT IN|text LIKE|text AMONG|
    number BETWEEN|boolean =|distinct|join|where|groupBy|having|orderBy|limit|offset`
  for (const feature of expected.split(/\|\s*/)) expect(used, feature).toContain(feature)
  for (const view of contract.views) expect(queries.some(({ from }) => from.view === view)).toBe(true)
})

test('reductions of documented statements are documented', () => {
  const documented = queries.filter(documentedKind)
  const left = documented.flatMap(reductions).filter(({ join }) => !join)
  expect(left.length).toBeGreaterThan(1000)
  expect(left.filter((query) => !documentedKind(query)).map(render)).toEqual([])
})
