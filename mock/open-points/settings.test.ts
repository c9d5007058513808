import { expect, test } from 'vitest'
import { isSetting, openPoints, settingVariants } from '../../schemas/open-points.ts'
import {
  createSettings,
  defaultSettings,
  engineSettings,
  parseVariants,
  splitVariants,
  UnknownVariant,
} from './settings.ts'

test('the default settings are the default variants of the register', () => {
  const defaults = openPoints.filter(({ id }) => isSetting(id)).map((point) => [point.id, point.default])
  expect(defaultSettings).toEqual(Object.fromEntries(defaults))
})

test('accepts every variant of the register, and the default takes it back', () => {
  for (const [id, variants] of Object.entries(settingVariants))
    for (const variant of variants) {
      const settings = createSettings({ [id]: variant })
      expect(settings).toMatchObject({ [id]: variant })
      expect(createSettings({ [id]: variants[0] }, settings)).toEqual(defaultSettings)
    }
})

test('settings may have the numbers of open points, and their former ids', () => {
  const older = { 'NS-12': 'wrapped', 'ts.format': 'micros-z', 'err.sqlSyntax': 'database-text' }
  expect(createSettings(older)).toEqual({
    ...defaultSettings,
    'rows.shape': 'wrapped',
    'timestamps.format': 'micros-z',
    'errors.sql-syntax': 'database-text',
  })
})

test.each(['date-keyword', 'timestamp-keyword'])(
  'delta.literal=%s and a comparison of texts exclude each other',
  (literal) => {
    const zone = createSettings({ 'delta.zone': 'text-comparison' })
    expect(() => createSettings({ 'delta.literal': literal }, zone)).toThrow(
      /would accept no date at all\. Leave out one/,
    )
  },
)

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

test('reads the variants of a header', () => {
  expect(splitVariants(' rows.shape = array,http.success=201')).toEqual({
    'rows.shape': 'array',
    'http.success': '201',
  })
  for (const header of ['', 'rows.shape', 'rows.shape=array;', 'a=b=c', 'a=b,'])
    expect(() => splitVariants(header)).toThrow(UnknownVariant)
  expect(() => createSettings(splitVariants('__proto__=array'))).toThrow('There is no setting "__proto__"')
})

test('variants from outside are texts or objects, under the ids of their settings', () => {
  expect(parseVariants('rows.shape=array, NS-14=upper')).toEqual({
    'rows.shape': 'array',
    'rows.case': 'upper',
  })
  expect(parseVariants({ 'base_units.shape': 'empty' })).toEqual({ 'base-units.shape': 'empty' })
  expect(parseVariants(' ')).toEqual({})
  expect(() => parseVariants('rows.shape')).toThrow('Write <setting>=<variant>')
  expect(() => parseVariants('rows.shap=array')).toThrow(
    'There is no setting "rows.shap". The settings are: ',
  )
  expect(() => parseVariants({ 'rows.shape': 'arrays' })).toThrow('Its variants: object, array-with-columns')
})
