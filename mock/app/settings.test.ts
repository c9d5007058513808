import { expect, test } from 'vitest'
import { undocumented } from '../../schemas/index.ts'
import { createSettings, defaultSettings, parseVariants, UnknownVariant } from './settings.ts'
import { engineOptions, rowFormat } from './engine-options.ts'
import { defaultRowFormat, defaultSqlRules } from '../engine/engine.ts'

test('every knob of the register is there, and does unasked what the register calls the default', () => {
  const defaults = undocumented.flatMap(({ knob, default: usual }) => (knob === null ? [] : [[knob, usual]]))
  expect(defaultSettings).toEqual(Object.fromEntries(defaults))
  expect(rowFormat(defaultSettings)).toEqual(defaultRowFormat)
})

test('every variant of the register is taken on, and taken back by the default', () => {
  for (const { knob, default: usual, variants } of undocumented) {
    if (knob === null || usual === null) continue
    for (const { slug } of variants) {
      const settings = createSettings({ [knob]: slug })
      expect(settings).toMatchObject({ [knob]: slug })
      expect(createSettings({ [knob]: usual }, settings)).toEqual(defaultSettings)
    }
  }
})

test('a settings can not be changed any more', () => {
  expect(Object.isFrozen(createSettings({ 'rows.shape': 'array' }))).toBe(true)
  expect(Object.isFrozen(defaultSettings)).toBe(true)
})

const told = (variants: Record<string, string>) => engineOptions(createSettings(variants))

test('the engine is told of what is not usual, and of nothing else', () => {
  expect(told({})).toEqual({})
  expect(told({ 'http.success': '201', 'schema.extra': 'new-version', 'sql.empty': '400' })).toEqual({})
  expect(told({ 'numbers.encoding': 'string' })).toEqual({
    format: { ...defaultRowFormat, numbers: 'string' },
  })
  expect(told({ 'sql.multi': 'first' })).toEqual({ rules: { ...defaultSqlRules, several: 'first' } })
  expect(told({ 'qc.types': 'boolean', 'numbers.encoding': 'big-integer' })).toEqual({
    format: { ...defaultRowFormat, numbers: 'big-integer' },
    data: { 'qc.types': 'boolean', 'numbers.encoding': 'big-integer' },
  })
  expect(told({ 'delta.zone': 'session-zone' })).toEqual({
    rules: { ...defaultSqlRules, zone: 'session-zone' },
  })
  expect(engineOptions(defaultSettings)).toBe(engineOptions(defaultSettings))
})

test('variants of a header', () => {
  expect(parseVariants(' rows.shape = array,http.success=201')).toEqual({
    'rows.shape': 'array',
    'http.success': '201',
  })
  for (const header of ['', 'rows.shape', 'rows.shape=array;', 'a=b=c', 'a=b,'])
    expect(() => parseVariants(header)).toThrow(UnknownVariant)
  expect(() => createSettings(parseVariants('__proto__=array'))).toThrow('There is no setting "__proto__"')
})
