import { expect, it } from 'vitest'
import { view } from '../../../schemas/index.ts'
import { copyLine } from './copy-text.ts'

const { columns } = view('v_quantities')

it('escapes texts, writes JSON as JSON and nulls as \\N', () => {
  const row = {
    id: 'q1',
    name: 'a\tb\\c\nd\re',
    alternative_names: ['x\ty', 'q"'],
    is_timeseries: true,
    data_type: '',
    default_unit: 'g/L',
    default_ingestion_unit: 'g/L',
    base_units: { kg: 1 },
    molar_mass: 180.156,
    notes: null,
    last_updated_at: '2025-01-01T00:00:00.000001+00:00',
  }
  expect(copyLine(row, columns)).toBe(
    `${[
      'q1',
      'a\\tb\\\\c\\nd\\re',
      '["x\\\\ty","q\\\\""]',
      'true',
      '',
      'g/L',
      'g/L',
      '{"kg":1}',
      '180.156',
      '\\N',
      '2025-01-01T00:00:00.000001+00:00',
    ].join('\t')}\n`,
  )
})

it('keeps a JSON text apart from a JSON number', () => {
  const { columns } = view('v_bioprocess_quantity_data')
  const value = columns.filter(({ name }) => name === 'value')
  expect(copyLine({ value: '5' }, value)).toBe('"5"\n')
  expect(copyLine({ value: 5 }, value)).toBe('5\n')
})
