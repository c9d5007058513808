import { expect, test } from 'vitest'
import { conversion, dimensionOf, sameDimension, unitOf } from './units.ts'

test.each([
  ['mL', 'L', 0.001],
  ['1e6 cells/mL', 'cells/mL', 1e6],
  ['mmol/L/h', 'mol/L/h', 0.001],
  ['g/L', 'kg/m3', 1],
  ['L h^-1', 'mL/min', 1000 / 60],
  ['AU', '', 1],
  ['%', '', 0.01],
  ['mM', 'mmol/L', 1],
] as const)('a value in %s converts to %s by the factor %f', (unit, wanted, factor) => {
  expect(conversion(unit, wanted) / factor).toBeCloseTo(1, 12)
})

test.each([
  ['g/L', 'mmol/L'],
  ['furlong', 'm'],
  ['mL', 'kg'],
  [null, 'L'],
  ['', 'L'],
])('a value in %s does not convert to %s', (unit, wanted) => {
  expect(conversion(unit, wanted)).toBeNaN()
})

test('reads min as minutes, and a capacitance per length in four base units', () => {
  expect(unitOf('min')).toEqual({ factor: 60, dimension: { s: 1 } })
  expect(unitOf('pF/cm')?.dimension).toEqual({ kg: -1, m: -3, s: 4, A: 2 })
  expect(unitOf('constructor')).toBeUndefined()
})

test('reads base units as exponents of units and ignores any other form', () => {
  expect(dimensionOf({ g: 1, L: -1 })).toEqual({ kg: 1, m: -3 })
  for (const other of [{}, null, 'kg', { kg: '1' }, { symbol: 1 }, ['kg']])
    expect(dimensionOf(other)).toBeUndefined()
})

test('compares mol and kg only for a quantity with a molar mass', () => {
  const [amount, mass] = [
    { mol: 1, m: -3 },
    { kg: 1, m: -3 },
  ]
  expect(sameDimension(amount, mass)).toBe(false)
  expect(sameDimension(amount, mass, true)).toBe(true)
})
