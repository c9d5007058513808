import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disclosing } from './disclosure.ts'
import { canonical, parseJson, plain, show, showPlain, typeOf } from './json.ts'

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

test('parseJson keeps the last of repeated keys', () => {
  expect(show(parseJson('{"id":1,"id":2}'))).toBe('{"id":2}')
})

test('typeOf distinguishes null and arrays from objects, and parseJson rejects invalid JSON', () => {
  const types = ['null', '[]', '{}', '1', '"x"', 'true'].map((text) => typeOf(parseJson(text)))
  expect(types).toEqual(['null', 'array', 'object', 'number', 'string', 'boolean'])
  for (const text of ['', '{', 'NaN', "{'a':1}", '[1,]']) expect(() => parseJson(text)).toThrow()
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

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('parseJson rejects JSON that is nested too deep', () => {
  expect(() => parseJson(nested(501))).toThrow(RangeError)
  expect(show(parseJson(nested(500))).length).toBeGreaterThan(100)
  expect(parseJson(`"${'['.repeat(600)}\\"${'{'.repeat(600)}"`)).toContain('[')
})
