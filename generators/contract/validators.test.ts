import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { validators, views, type ViewName } from '../../schemas/index.ts'
import { load } from './load.ts'
import { sampleRows } from '../../invariants/tables.test-helper.ts'
import { generateValidators } from './validators.ts'

const names = Object.keys(sampleRows) as ViewName[]
const results = validators['views/v_formula_results']
const single = {
  ...sampleRows.v_formula_results,
  data: { value: 0.2 },
  timeseries: null,
  timeseries_start_timestamp: null,
  timeseries_statistics_sum: null,
}

describe.each(names)('the validator of %s', (name) => {
  const validate = validators[`views/${name}`]
  const row: object = sampleRows[name]

  test('accepts a valid row', () => {
    expect(validate(row)).toBe(true)
    expect(validate.errors).toBeNull()
  })

  test('accepts an additional column', () => {
    expect(validate({ ...row, more: 1 })).toBe(true)
  })

  test.each(views.find((view) => view.name === name)!.columns)(
    'checks the type of column $name',
    (column) => {
      const without = Object.fromEntries(Object.entries(row).filter(([key]) => key !== column.name))
      expect(validate(without)).toBe(column.optional)
      expect(validate({ ...row, [column.name]: null })).toBe(column.nullable && !column.nullOnlyWithout)
      expect(validate({ ...row, [column.name]: column.types.includes('boolean') ? 1 : true })).toBe(false)
      expect(validate.errors).toContainEqual(expect.objectContaining({ instancePath: `/${column.name}` }))
      if (column.format) expect(validate({ ...row, [column.name]: '2025-03-01 08:12:00+00' })).toBe(false)
      if (column.format) {
        expect(validate({ ...row, [column.name]: '2025-03-01T08:12:00' })).toBe(column.format === 'iso8601')
      }
    },
  )
})

describe('the validators', () => {
  test.each([
    ['views/v_bioprocesses', 'an unknown status', { ...sampleRows.v_bioprocesses, status: 'Running' }],
    ['views/v_bioprocesses', 'a number in data', { ...sampleRows.v_bioprocesses, data: [1] }],
    [
      'views/v_bioprocesses',
      'an unknown QC status',
      { ...sampleRows.v_bioprocesses, qc: { status: 'passed' } },
    ],
    ['views/v_bioprocesses', 'a text in events', { ...sampleRows.v_bioprocesses, events: ['note'] }],
    ['views/v_timeseries', 'empty statistics', { ...sampleRows.v_timeseries, statistics: {} }],
    [
      'views/v_quantities',
      'a number in alternative_names',
      { ...sampleRows.v_quantities, alternative_names: [1] },
    ],
    [
      'views/v_formula_results',
      'times as texts',
      { ...sampleRows.v_formula_results, timeseries: { data: [1], times_ms: ['1'] } },
    ],
    ['events/db-addition-event', 'only a note', { note: 'foam' }],
    ['envelope', 'an unknown state', { data: [], status: { state: 'failed', message: '' } }],
    ['envelope', 'an error with data', { data: null, status: { state: 'error', message: '' } }],
    ['request', 'a number as statement', { statement: 1 }],
  ] as const)('reject %s with %s', (name, _, value) => {
    expect(validators[name](value)).toBe(false)
    expect(validators[name].errors).not.toHaveLength(0)
  })

  test('accept null in the columns timeseries_* only if timeseries is null', () => {
    expect(results(single)).toBe(true)
    expect(results({ ...single, timeseries: sampleRows.v_formula_results.timeseries })).toBe(false)
    expect(results.errors!.map(({ instancePath }) => instancePath)).toEqual(
      expect.arrayContaining(['/timeseries_start_timestamp', '/timeseries_statistics_sum']),
    )
  })

  test('import nothing but our own formats and the validator of faults', async () => {
    const [file] = await generateValidators(load(process.cwd()))
    const { metafile } = await build({
      stdin: { contents: file!.text, resolveDir: 'schemas/generated', loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
    })
    expect(Object.keys(metafile.inputs).toSorted()).toEqual([
      '<stdin>',
      'base/time/timestamp.ts',
      'schemas/formats.ts',
      'schemas/generated/fault.ts',
    ])
  })
})
