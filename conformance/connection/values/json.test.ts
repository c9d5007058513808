import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disclosing } from '../redaction/disclosure.ts'
import { canonical, plain, show, showPlain, typeOf } from './json.ts'
import { parseJson } from './parse-json.ts'

const same = (a: string, b: string) => canonical(parseJson(a)) === canonical(parseJson(b))

test.each([
  ['1.50e3', '1500', true],
  ['-0', '0', true],
  ['0.1', '0.10', true],
  ['1e2', '100', true],
  ['0.001', '1e-3', true],
  ['9007199254740993', '9007199254740992', false],
  ['"1"', '1', false],
  ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1e0}', true],
  ['[1,2]', '[2,1]', false],
  ['null', '"null"', false],
])('the canonical texts of %s and %s are equal: %s', (a, b, expected) => {
  expect(same(a, b)).toBe(expected)
})

test('the canonical text of a number with a million zeros takes time linear in its length', () => {
  expect(canonical(parseJson(`1${'0'.repeat(1_000_000)}1`))).toHaveLength(1_000_004)
})

test('canonical texts of double-precision JSON are equal exactly if the values are', () => {
  const value = fc.jsonValue()
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
      expect(same(left, left)).toBe(true)
      expect(plain(parseJson(left))).toEqual(JSON.parse(left))
      const equal = sorted(JSON.parse(left)) === sorted(JSON.parse(right))
      expect(same(left, right)).toBe(equal)
    }),
  )
})

test('typeOf distinguishes null and arrays from objects', () => {
  const types = ['null', '[]', '{}', '1', '"x"', 'true'].map((text) => typeOf(parseJson(text)))
  expect(types).toEqual(['null', 'array', 'object', 'number', 'string', 'boolean'])
})

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

const tagOfOne = () => disclosing('hashed', async () => show('one').slice(-6))

test('show conceals a row value and adds a tag that identifies equal values', async () => {
  const value = parseJson('{"id":"Ab-9","at":"2026-01-31T08:00:00.5Z","n":-1.5e3,"none":null,"ok":[true]}')
  expect(show(value)).toBe('{"id":"Ab-9","at":"2026-01-31T08:00:00.5Z","n":-1.5e3,"none":null,"ok":[true]}')
  await disclosing('hashed', async () => {
    expect(show(value)).toMatch(
      /^\{"id":"Xx-0","at":"0000-00-00T00:00:00\.0Z","n":-0\.0x0,"none":null,"ok":\[true\]\} #[0-9a-f]{6}$/,
    )
    expect(show('µ é Я')).toMatch(/^"x x X" #/)
    expect(show('T Z')).toMatch(/^"X X" #/)
    expect(show('one')).toBe(show('one'))
    expect(show('one')).not.toBe(show('two'))
    expect([show(null), show(true), show([]), show({}), show('')]).toEqual(['null', 'true', '[]', '{}', '""'])
    expect(showPlain('Success')).toBe('"Success"')
  })
  expect(await tagOfOne()).not.toBe(await tagOfOne())
})
