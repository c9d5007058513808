import { expect, test } from 'vitest'
import { undocumented } from '../../schemas/index.ts'
import { createSettings, defaultSettings, engineSettings, parseVariants, UnknownVariant } from './settings.ts'

test('the default settings are the default variants of the register', () => {
  const defaults = undocumented.flatMap(({ knob, default: usual }) => (knob === null ? [] : [[knob, usual]]))
  expect(defaultSettings).toEqual(Object.fromEntries(defaults))
})

test('accepts every variant of the register, and the default takes it back', () => {
  for (const { knob, default: usual, variants } of undocumented) {
    if (knob === null || usual === null) continue
    for (const { slug } of variants) {
      const settings = createSettings({ [knob]: slug })
      expect(settings).toMatchObject({ [knob]: slug })
      expect(createSettings({ [knob]: usual }, settings)).toEqual(defaultSettings)
    }
  }
})

test('settings are frozen', () => {
  expect(Object.isFrozen(createSettings({ 'rows.shape': 'array' }))).toBe(true)
  expect(Object.isFrozen(defaultSettings)).toBe(true)
})

test('the engine gets its settings only if one of them differs from the default', () => {
  expect(engineSettings(defaultSettings)).toBeUndefined()
  expect(engineSettings(createSettings({ 'http.success': '201', 'timeout.mode': 'reset' }))).toBeUndefined()
  const settings = createSettings({ 'qc.types': 'boolean', 'http.success': '201' })
  expect(engineSettings(settings)).toMatchObject({ 'qc.types': 'boolean', 'rows.shape': 'object' })
  expect(engineSettings(settings)).not.toHaveProperty('http.success')
})

test('the settings of the engine are computed once per object', () => {
  const settings = createSettings({ 'rows.shape': 'array' })
  expect(engineSettings(settings)).toBe(engineSettings(settings))
})

test('reads the variants of a header', () => {
  expect(parseVariants(' rows.shape = array,http.success=201')).toEqual({
    'rows.shape': 'array',
    'http.success': '201',
  })
  for (const header of ['', 'rows.shape', 'rows.shape=array;', 'a=b=c', 'a=b,'])
    expect(() => parseVariants(header)).toThrow(UnknownVariant)
  expect(() => createSettings(parseVariants('__proto__=array'))).toThrow('There is no setting "__proto__"')
})
