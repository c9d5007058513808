import { expect, test } from 'vitest'
import { defaultSettings } from '../../open-points/settings.ts'
import { defaultRowFormat, rowFormat } from './row-format.ts'

test('is the default format unless a setting changes how rows are written', () => {
  expect(rowFormat(defaultSettings)).toBe(defaultRowFormat)
  expect(rowFormat({ ...defaultSettings })).toBe(defaultRowFormat)
  // another statement, other rows
  expect(rowFormat({ ...defaultSettings, 'sql.accept': 'any', 'numbers.encoding': 'big-integer' })).toBe(
    defaultRowFormat,
  )
  expect(rowFormat({ ...defaultSettings, 'rows.nulls': 'omitted' })).not.toBe(defaultRowFormat)
})
