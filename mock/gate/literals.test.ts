import { describe, expect, test } from 'vitest'
import { templateOf } from './literals.ts'

const literalsOf = (text: string) => templateOf(text)?.literals.map(({ kind, value }) => `${kind} ${value}`)

const key = (value: string) => templateOf(`SELECT id FROM v_x WHERE a = ${value} LIMIT 5`)?.key

const limited = (rows: number) => templateOf(`SELECT id FROM v_x WHERE a = 'b' LIMIT ${rows} OFFSET 3`)

describe('the literals of a statement', () => {
  test('are its texts and numbers', () => {
    expect(
      literalsOf(
        `SELECT a1 FROM v_x WHERE b2 = 'it''s' AND c IN (1, 2.50) AND d > 3000000000 AND e < 99999999999999999999 LIMIT 10`,
      ),
    ).toEqual(["text it's", 'int4 1', 'numeric 2.50', 'int8 3000000000', 'numeric 99999999999999999999'])
  })

  test('leave the number after LIMIT in the key', () => {
    expect(limited(10)?.key).not.toBe(limited(11)?.key)
    expect(limited(10)?.literals.map(({ value }) => value)).toEqual(['b', '3'])
  })

  test('leave the same key for other values of the same kind, and another one for other kinds', () => {
    expect(key(`'x'`)).toBe(key(`'a longer -text'`))
    expect(key('1')).toBe(key('2147483647'))
    for (const other of ['2147483648', '1.0', `'1'`, 'a']) expect(key(other)).not.toBe(key('1'))
  })

  test.each([
    "SELECT E'a\\nb'",
    "SELECT U&'a'",
    "SELECT b'01'",
    "SELECT x'1f'",
    "SELECT n'a'",
    "SELECT DATE'2020-01-01'",
    "SELECT 'a'\n'b'",
    "SELECT 'a' 'b'",
    'SELECT $$a$$',
    'SELECT $1',
    'SELECT "a 1"',
    'SELECT 1 -- 2',
    'SELECT 1 /* 2 */',
    'SELECT 1; SELECT 2',
    'SELECT 1e5',
    'SELECT 0x1F',
    'SELECT 1_000',
    'SELECT 12ab',
    'SELECT 1.',
    'SELECT .5',
    "SELECT 1'a'",
    "SELECT 'a\\'",
    "SELECT 'ü'",
    'SELECT ü1',
    "SELECT 'a",
    'SELECT \u00a01',
    `SELECT '${'x'.repeat(5000)}'`,
  ])('are not read from %s', (text) => expect(templateOf(text)).toBeUndefined())
})
