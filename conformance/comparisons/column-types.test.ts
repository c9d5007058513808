import { expect, test } from 'vitest'
import { view, type ViewName } from '../../schemas/index.ts'
import { parseJson, type JsonObject } from '../connection/json.ts'
import { wantedType, wrongType } from './column-types.ts'

const column = (name: ViewName, of: string) => view(name).columns.find((candidate) => candidate.name === of)!

test.each([
  ['v_bioprocesses', 'duration_ms', '{"duration_ms": 5}', undefined],
  ['v_bioprocesses', 'duration_ms', '{"duration_ms": "5"}', 'string'],
  ['v_bioprocesses', 'duration_ms', '{"duration_ms": null}', 'null'],
  ['v_bioprocesses', 'duration_ms', '{}', undefined],
  ['v_bioprocesses', 'parent_id', '{"parent_id": null}', undefined],
  ['v_bioprocess_quantity_data', 'value', '{"value": "5"}', undefined],
  ['v_bioprocess_quantity_data', 'value', '{"value": true}', 'boolean'],
  ['v_quantities', 'alternative_names', '{"alternative_names": ["", "a"]}', undefined],
  ['v_quantities', 'alternative_names', '{"alternative_names": []}', undefined],
  ['v_quantities', 'alternative_names', '{"alternative_names": ["a", 1]}', 'an array that holds number'],
  ['v_quantities', 'alternative_names', '{"alternative_names": "[]"}', 'string'],
  [
    'v_formula_results',
    'timeseries_statistics_min',
    '{"timeseries_statistics_min": null, "timeseries": null}',
    undefined,
  ],
  ['v_formula_results', 'timeseries_statistics_min', '{"timeseries_statistics_min": null}', undefined],
  [
    'v_formula_results',
    'timeseries_statistics_min',
    '{"timeseries_statistics_min": null, "timeseries": {}}',
    'null',
  ],
] as [ViewName, string, string, string | undefined][])(
  'wrongType for %s.%s in the row %s is %s',
  (name, of, row, expected) => {
    expect(wrongType(column(name, of), parseJson(row) as JsonObject)).toBe(expected)
  },
)

test('wantedType names the documented type of a column', () => {
  const words = [
    column('v_bioprocesses', 'parent_id'),
    column('v_quantities', 'alternative_names'),
    column('v_formula_results', 'timeseries_statistics_min'),
    column('v_bioprocess_quantity_data', 'value'),
  ].map(wantedType)
  expect(words).toEqual([
    'string or null',
    'array of string',
    'number, or null where timeseries is null',
    'string or number',
  ])
})
