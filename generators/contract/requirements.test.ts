import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contract } from '../../schemas/index.ts'
import { expand, type Entry } from './requirements.ts'

const entries = JSON.parse(readFileSync('schemas/requirements.json', 'utf8')) as Entry[]

test('a family has one requirement for each view, in the order of the views', () => {
  const ids = expand(entries, contract).map(({ id }) => id)
  const first = ids.indexOf('REQ-VIEW-EXISTS:v_bioprocesses')
  expect(ids.slice(first, first + 4)).toEqual([
    'REQ-VIEW-EXISTS:v_bioprocesses',
    'REQ-VIEW-COLUMNS:v_bioprocesses',
    'REQ-VIEW-TYPES:v_bioprocesses',
    'REQ-VIEW-EXISTS:v_bioprocess_quantity_data',
  ])
  expect(ids).toHaveLength(entries.length + 3 * (contract.views.length - 1))
})

test('a view that a family says nothing of is an error that names the file', () => {
  const views = [...contract.views, 'v_batches' as 'v_experiments']
  expect(() => expand(entries, { ...contract, views })).toThrow(
    'REQ-VIEW-EXISTS:{view} has no {table} for v_batches. Add it to schemas/contract.json.',
  )
  const tables = { ...contract.tables, v_batches: '400-402' }
  expect(() => expand(entries, { ...contract, views, tables })).toThrow(
    'REQ-VIEW-TYPES:{view} has no {ofView} for v_batches. Add it to schemas/requirements.json.',
  )
})
