import { expect, test } from 'vitest'
import { kindOf } from './statement-kind.ts'

const statement = (constant: string) =>
  `SELECT a1 FROM v_quantities WHERE value > ${constant} AND n = '' LIMIT 5`

test.each(['6', '60', '6.5', '-6', '- 6.5', "'a'", "'it''s'", "''"])(
  'a statement with %s is of the kind of one with 5',
  (constant) => {
    expect(kindOf(statement(constant))).toBe(kindOf(statement('5')))
    expect(kindOf(statement('5').replace('LIMIT 5', 'LIMIT 100'))).toBe(kindOf(statement(constant)))
  },
)

test.each(['a5', 'b.a', 'value - 5', '(5)', 'NULL'])(
  'a statement with %s is of another kind than one with 5',
  (other) => {
    expect(kindOf(statement(other))).not.toBe(kindOf(statement('5')))
  },
)

// far above what it takes, and far below half a minute, which it took when each blank was read from the sign on
test('takes a time in proportion to the length of blanks', { timeout: 10_000 }, () => {
  expect(kindOf(`SELECT 1 =${' '.repeat(300_000)}1`)).toMatch(/^SELECT \? = +\?$/)
})
