import { expect, test } from 'vitest'
import { plain } from './plain.ts'

const code = String.fromCodePoint

test.each([
  ['an escape sequence', `${code(27)}[31mred`, '\\u001b[31mred'],
  ['a bidirectional override', `a${code(0x202e)}b`, 'a\\u202eb'],
  ['a lone surrogate', `a${String.fromCharCode(0xd800)}b`, 'a\\ud800b'],
  ['a tag character outside the first plane', code(0xe0041), '\\u{e0041}'],
  ['a character that XML forbids', `${code(0)}${code(0xfffe)}`, '\\u0000\\ufffe'],
  ['a carriage return inside a line', 'shown\rhidden', 'shown\\u000dhidden'],
  ['a workflow command', 'a\n  ::add-mask::b', 'a\n  : :add-mask::b'],
  ['a workflow command of the older kind', 'a ##[add-mask]b', 'a # #[add-mask]b'],
  ['a pipeline command', '##vso[task.complete]', '# #vso[task.complete]'],
])('plain makes %s visible or inactive', (_, text, shown) => {
  expect(plain(text)).toBe(shown)
})

test('plain keeps casts, emoji, line breaks and numbers at any depth', () => {
  const value = { a: ['x::int', 'line\nline\ttab', 'µmol 🧫', 3, null, true], b: 'a\r\nb' }
  expect(plain(value)).toEqual({ ...value, b: 'a\nb' })
})

test('plain escapes the keys of objects', () => {
  expect(plain({ [code(27)]: 1 })).toEqual({ '\\u001b': 1 })
})
