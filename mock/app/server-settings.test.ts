import { expect, test } from 'vitest'
import { undocumented } from '../../schemas/index.ts'
import { createSettings, defaultSettings, UnknownVariant } from '../open-points/settings.ts'
import { ServerSettings } from './server-settings.ts'

const asArray = { 'rows.shape': 'array' }

test('keeps variants until the reset, over those of the start', () => {
  const settings = new ServerSettings(createSettings({ 'http.success': '201', ...asArray }))
  settings.replace({ 'rows.shape': 'wrapped' })
  settings.add({ 'timestamps.format': 'millis-z' })
  expect(settings.current).toMatchObject({
    'http.success': '201',
    'rows.shape': 'wrapped',
    'timestamps.format': 'millis-z',
  })
  settings.replace({ 'timestamps.format': 'seconds-z' })
  expect(settings.current).toMatchObject({ 'rows.shape': 'array', 'timestamps.format': 'seconds-z' })
  settings.reset()
  expect(settings.current).toEqual(createSettings({ 'http.success': '201', ...asArray }))
})

test('uses up variants for the next statements in their order', () => {
  const settings = new ServerSettings()
  settings.once(asArray, 2)
  settings.once({ 'rows.shape': 'wrapped' })
  settings.add({ 'timestamps.format': 'millis-z' })
  const shapes = Array.from({ length: 4 }, () => settings.take('t')['rows.shape'])
  expect(shapes).toEqual(['array', 'array', 'wrapped', 'object'])
  expect(settings.take('t')['timestamps.format']).toBe('millis-z')
  settings.once(asArray)
  settings.reset()
  expect(settings.take('t')).toBe(defaultSettings)
})

test('returns to the start with one setting alone, also for the next statements', () => {
  const settings = new ServerSettings()
  settings.replace({ ...asArray, 'timestamps.format': 'millis-z' })
  settings.once({ 'rows.shape': 'wrapped' })
  settings.once({ 'http.success': '201' })
  settings.reset('rows.shape')
  expect(settings.set).toEqual({ 'timestamps.format': 'millis-z' })
  expect(settings.current['rows.shape']).toBe('object')
  expect(settings.upcoming).toEqual([{ variants: { 'http.success': '201' }, left: 1 }])
})

test('what is set for a token is skipped by statements with another one, and its token is not listed', () => {
  const settings = new ServerSettings()
  settings.once(asArray, 1, 'a')
  settings.once({ 'rows.shape': 'wrapped' })
  expect(settings.upcoming).toEqual([
    { variants: asArray, left: 1 },
    { variants: { 'rows.shape': 'wrapped' }, left: 1 },
  ])
  expect(settings.peek('b')['rows.shape']).toBe('wrapped')
  const shapes = ['b', 'b', 'a', 'a'].map((token) => settings.take(token)['rows.shape'])
  expect(shapes).toEqual(['wrapped', 'object', 'array', 'object'])
})

test('changes nothing for unknown settings, and lists all of them', () => {
  const settings = new ServerSettings()
  const wrong = { ...asArray, 'rows.shap': 'array', 'timestamps.format': 'millis' }
  for (const set of ['add', 'replace', 'once'] as const) {
    expect(() => settings[set](wrong)).toThrow(UnknownVariant)
    expect(() => settings[set](wrong)).toThrow(
      /no setting "rows.shap".*timestamps.format has no variant "millis"/,
    )
  }
  for (const count of [0, 1.5, Number.NaN, '2'])
    expect(() => settings.once(asArray, count as number)).toThrow('Give a whole number')
  expect(settings.take('t')).toBe(defaultSettings)
  expect(settings.set).toEqual({})
})

test('lists every setting with its variant and its source', () => {
  const start = createSettings({ ...asArray, 'http.success': '201' })
  const settings = new ServerSettings(start, { 'rows.shape': 'flag' })
  settings.add({ 'timestamps.format': 'millis-z' })
  const states = settings.describe()
  const sources = Object.fromEntries(states.map(({ point, value, source }) => [point, `${value} ${source}`]))
  expect(sources).toMatchObject({
    'rows.shape': 'array flag',
    'http.success': '201 options',
    'timestamps.format': 'millis-z run time',
    'rows.nulls': 'null default',
  })
  expect(states.map(({ knob }) => knob)).toEqual(undocumented.flatMap(({ knob }) => knob ?? []))
  expect(states.map(({ point }) => point)).toEqual(states.map(({ knob }) => knob))
  const { variants } = states.find(({ point }) => point === 'rows.nulls')!
  expect(variants).toContainEqual({
    slug: 'empty-string',
    text: 'As an empty string.',
    standing: 'departs',
    requirement: 'REQ-VIEW-TYPES',
  })
})
