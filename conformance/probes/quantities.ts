import { views } from '../../schemas/index.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { typeOf, type Json } from '../connection/json.ts'
import {
  alwaysNull,
  counted,
  haveKeys,
  keysIn,
  objectsIn,
  tally,
  textsIn,
  theOne,
  typesOf,
  valuesOf,
} from './reading.ts'

function labels(values: readonly Json[]): Seen | undefined {
  const objects = objectsIn(values)
  if (objects.length === 0) return alwaysNull(values)
  const all = objects.map(({ labels: value = null }) => value)
  const each = (type: string) => haveKeys(objects, ['labels']) && all.every((value) => typeOf(value) === type)
  const variant = theOne({ 'labels-list': each('array'), 'labels-map': each('object') })
  return { variant, seen: `${keysIn(objects)}; labels: ${typesOf(all)}` }
}

const DATA_TYPES = {
  'float-integer-string-boolean': ['float', 'integer', 'string', 'boolean'],
  'number-text-categorical': ['number', 'text', 'categorical'],
  'upper-case': ['NUMERIC', 'TEXT', 'DATE'],
  'numeric-text-date': ['numeric', 'text', 'date'],
}

function dataTypes(values: readonly Json[]): Seen | undefined {
  const words = new Set(textsIn(values))
  if (words.size === 0) return undefined
  const among = (known: readonly string[]) => [...words].every((word) => known.includes(word))
  const tests = Object.entries(DATA_TYPES).map(([slug, known]) => [slug, among(known)])
  return { variant: theOne(Object.fromEntries(tests)), seen: `${counted(words.size, 'different word')}` }
}

function baseUnits(values: readonly Json[]): Seen | undefined {
  const objects = objectsIn(values)
  if (objects.length === 0) return undefined
  const filled = objects.filter((object) => Object.keys(object).length > 0)
  const every = (type: string) => filled.flatMap(Object.values).every((value) => typeOf(value) === type)
  const variant = theOne({
    empty: filled.length === 0,
    'exponent-map': filled.length > 0 && every('number'),
    'unit-text': haveKeys(filled, ['unit']) && every('string'),
  })
  return { variant, seen: keysIn(objects) }
}

const NUMERIC = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

function valueTypes(values: readonly Json[]): Seen | undefined {
  const kinds = values.map((value): string => {
    if (typeof value !== 'string') return typeOf(value)
    if (!NUMERIC.test(value)) return 'text'
    return value.includes('.') ? 'numeric text with a fraction' : 'numeric text'
  })
  const some = (kind: string) => kinds.includes(kind)
  const [numbers, texts] = [some('number'), some('numeric text') || some('numeric text with a fraction')]
  const variant = theOne({
    number: numbers && !texts,
    mixed: numbers && texts,
    string: !numbers && some('numeric text'),
    'decimal-string': !numbers && texts && !some('numeric text'),
  })
  return numbers || texts ? { variant, seen: tally(kinds) } : undefined
}

function tableNames(values: readonly Json[]): Seen | undefined {
  const names = textsIn(values)
  if (names.length === 0) return undefined
  const kinds = names.map((name) =>
    views.some((view) => view.name === name)
      ? 'view'
      : views.some(({ table }) => table === name)
        ? 'base-table'
        : 'other',
  )
  return { variant: new Set(kinds).size === 1 ? kinds[0] : undefined, seen: `in rows: ${tally(kinds)}` }
}

export const quantityProbes: Probe[] = [
  probe({
    silence: 'NS-05',
    observe: async (t) => labels(await valuesOf(t, 'v_bioprocess_quantity_data', 'measurement_info')),
  }),
  probe({
    silence: 'NS-06',
    observe: async (t) => dataTypes(await valuesOf(t, 'v_quantities', 'data_type')),
  }),
  probe({
    silence: 'NS-07',
    observe: async (t) => baseUnits(await valuesOf(t, 'v_quantities', 'base_units')),
  }),
  probe({
    silence: 'NS-44',
    observe: async (t) => valueTypes(await valuesOf(t, 'v_bioprocess_quantity_data', 'value')),
  }),
  probe({
    silence: 'NS-60',
    observe: async (t) => tableNames(await valuesOf(t, 'v_archived_records', 'table_name')),
  }),
]
