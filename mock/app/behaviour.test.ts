import { expect, test } from 'vitest'
import { undocumented } from '../../schemas/index.ts'
import {
  createBehaviour,
  defaultBehaviour,
  engineOptions,
  parseVariants,
  rowFormat,
  UnknownVariant,
} from './behaviour.ts'
import { defaultRowFormat, defaultSqlRules } from '../engine/engine.ts'

test('every knob is in the register, and does unasked what the register calls the default', () => {
  const defaults = Object.keys(defaultBehaviour).map((knob) => [
    knob,
    undocumented.find((entry) => entry.knob === knob)?.default,
  ])
  expect(Object.fromEntries(defaults)).toEqual(defaultBehaviour)
  expect(rowFormat(defaultBehaviour)).toEqual(defaultRowFormat)
})

test('every variant of the register is taken on or refused with a sentence; taken back by the default', () => {
  let taken = 0
  for (const { knob, default: usual, variants } of undocumented) {
    if (knob === null || usual === null) continue
    for (const { slug } of variants) {
      try {
        const behaviour = createBehaviour({ [knob]: slug })
        taken += 1
        expect(createBehaviour({ [knob]: usual }, behaviour)).toEqual(defaultBehaviour)
      } catch (error) {
        expect(error).toBeInstanceOf(UnknownVariant)
        expect(String(error)).toContain(`The variant ${knob}=${slug} is known`)
      }
    }
  }
  expect(taken).toBeGreaterThan(60)
})

test('a behaviour can not be changed any more', () => {
  expect(Object.isFrozen(createBehaviour({ 'rows.shape': 'array' }))).toBe(true)
  expect(Object.isFrozen(defaultBehaviour)).toBe(true)
})

const told = (variants: Record<string, string>) => engineOptions(createBehaviour(variants))

test('the engine is told of what is not usual, and of nothing else', () => {
  expect(told({})).toEqual({})
  expect(told({ 'http.success': '201', 'schema.extra': 'new-version', 'sql.empty': '400' })).toEqual({})
  expect(told({ 'num.encoding': 'string' })).toEqual({ format: { ...defaultRowFormat, numbers: 'string' } })
  expect(told({ 'sql.multi': 'first' })).toEqual({ rules: { ...defaultSqlRules, several: 'first' } })
  expect(told({ 'qc.types': 'boolean', 'num.encoding': 'big-integer' })).toEqual({
    format: { ...defaultRowFormat, numbers: 'big-integer' },
    data: { 'qc.types': 'boolean', 'num.encoding': 'big-integer' },
  })
  expect(told({ 'delta.zone': 'session-zone' })).toEqual({
    rules: { ...defaultSqlRules, zone: 'session-zone' },
  })
  expect(engineOptions(defaultBehaviour)).toBe(engineOptions(defaultBehaviour))
})

test('variants of a header', () => {
  expect(parseVariants(' rows.shape = array,http.success=201')).toEqual({
    'rows.shape': 'array',
    'http.success': '201',
  })
  for (const header of ['', 'rows.shape', 'rows.shape=array;', 'a=b=c', 'a=b,'])
    expect(() => parseVariants(header)).toThrow(UnknownVariant)
  expect(() => createBehaviour(parseVariants('__proto__=array'))).toThrow('There is no knob "__proto__"')
})
