import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPseudonyms } from './pseudonyms.ts'
import { replaceRow } from './replace-row.ts'

const pseudonyms = createPseudonyms(Buffer.from('key'))

test('equal texts have equal pseudonyms, and others have others', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
      const again = createPseudonyms(Buffer.from('key'))
      expect(again.of(one)).toBe(pseudonyms.of(one))
      expect(pseudonyms.of(one) === pseudonyms.of(other)).toBe(one === other)
      expect(createPseudonyms(Buffer.from('another')).of(one)).not.toBe(pseudonyms.of(one))
    }),
  )
})

test('pseudonyms have the form of their text', () => {
  expect(pseudonyms.of('')).toBe('')
  expect(pseudonyms.of('BR-EC-0001')).toMatch(/^p-[0-9a-f]{16}$/)
  expect(pseudonyms.of('693903ae0532e95eda8669ab')).toMatch(/^[0-9a-f]{24}$/)
  expect(pseudonyms.of('3f2504e0-4f89-41d3-9a0c-0305e82c3301')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  const note = 'DO probe drifts a little, not recalibrated. (Bryant)'
  expect(pseudonyms.of(note)).toMatch(/^p-[0-9a-f]{16} lorem ipsum dolor/)
  expect(Math.abs(pseudonyms.of(note).length - note.length)).toBeLessThan(3)
})

test('a column keeps or loses its texts by its rule', () => {
  const row = {
    id: 'run-1',
    external_id: '20250301',
    name: 'Run 12 of product X',
    parent_id: null,
    status: 'Completed',
    start_timestamp: '2025-03-01T08:00:00Z',
    duration_ms: 12.5,
    qc: { status: 'Pass', failure_mode: 'bag leaked (Smith)' },
    events: [
      {
        type: 'DbAdditionEvent',
        timestamp: '2025-03-01T08:00:00Z',
        lot_number: 'L-7',
        volume: { unit: 'mL', value: 3 },
      },
    ],
    lineage: { parents: ['run-0', { bioprocess_id: 'run-1' }] },
  }
  const replaced = replaceRow('v_bioprocesses', row, pseudonyms)
  expect(replaced).toEqual({
    ...row,
    id: pseudonyms.of('run-1'),
    external_id: pseudonyms.of('20250301'),
    name: pseudonyms.of('Run 12 of product X'),
    qc: { status: 'Pass', failure_mode: pseudonyms.of('bag leaked (Smith)') },
    events: [{ ...row.events[0], lot_number: pseudonyms.of('L-7') }],
    lineage: { parents: [pseudonyms.of('run-0'), { bioprocess_id: pseudonyms.of('run-1') }] },
  })
})

test.each([
  [6.9, true],
  ['6.90', true],
  ['2025-02-06', true],
  ['GS115', false],
  ['20 bar', false],
])('the recorded value %j stays: %j', (value, stays) => {
  const { value: replaced } = replaceRow('v_bioprocess_quantity_data', { value }, pseudonyms)
  expect(replaced === value).toBe(stays)
})

test.each([
  ['(A*3)*B/100', true],
  ['log_linear_regression(A)', true],
  ['secret_model(A)', false],
  ['A + Titer', false],
])('the formula %s stays: %j', (formula, stays) => {
  expect(replaceRow('v_formulas', { formula }, pseudonyms)['formula'] === formula).toBe(stays)
})

test('no text of a column without a rule stays', () => {
  expect(replaceRow('v_formulas', { author: 'Jane' }, pseudonyms)).toEqual({ author: pseudonyms.of('Jane') })
})
