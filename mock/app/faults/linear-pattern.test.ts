import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linearPattern, PatternError } from './linear-pattern.ts'

/** Regular expressions over letters and line ends. */
const { source } = fc.letrec<{ source: string; part: string; branch: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'B', '.', '[ab]', '[^a]', '\\w', '\\n', '\\x61') },
    { weight: 2, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:'),
          tie('source'),
          fc.constantFrom(')', ')*', ')+?', ')?', ')??', '){2}', '){1,3}', '){0}', '){2,}'),
        )
        .map((parts) => parts.join('')),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('source'))
        .map(([open, inner]) => `${open}${inner})`),
    },
  ),
  branch: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  source: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
}))
const flags = fc.subarray(['i', 'm', 's', 'u']).map((flags) => flags.join(''))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n'), maxLength: 7 })

function unlessTooLong<T>(compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    fc.pre(!(error instanceof PatternError))
    throw error
  }
}

test('finds a match exactly where a regular expression of JavaScript does', () => {
  let matched = 0
  fc.assert(
    fc.property(source, flags, fc.array(text, { minLength: 4, maxLength: 4 }), (source, flags, texts) => {
      const native = new RegExp(source, flags)
      const own = unlessTooLong(() => linearPattern(source, flags))
      for (const text of texts) {
        expect(own(text), `/${source}/${flags} for ${JSON.stringify(text)}`).toBe(native.test(text))
        if (native.test(text)) matched += 1
      }
    }),
    { numRuns: 3000 },
  )
  expect(matched).toBeGreaterThan(1000)
  expect(matched).toBeLessThan(11_000)
})

test.each([
  ['select .* from .* join', 'is', 'SELECT a FROM b\nLEFT JOIN c', true],
  ['^(?!.*\\blimit\\b)', 'is', 'SELECT 1\nLIMIT 1', false],
  ['^(?!.*\\blimit\\b)', 'is', 'SELECT 1', true],
  ['a{', '', 'a{', true],
  ['[\\]a]{2}', '', 'x]a', true],
  ['\\u0061\\x62\\t', '', 'ab\t', true],
  ['^\\u{1F600}\\uD83D\\uDE00\\p{L}$', 'u', '😀😀ä', true],
  ['^..$', '', '😀', true],
  ['^..$', 'u', '😀', false],
  ['(?<year>\\d{4})-', '', 'in 2026-11', true],
])('/%s/%s finds a match in %j: %s', (source, flags, text, expected) => {
  expect(new RegExp(source, flags).test(text)).toBe(expected)
  expect(linearPattern(source, flags)(text)).toBe(expected)
})

test.each([
  '(a+)+$',
  '(?:a|a)*b',
  'a*a*a*a*a*a*b',
  '.*.*.*=x',
  '(a?){60}a{60}b',
  '(?:(?=a*a*b)a)*c',
  '(?<=(a+)+b)c',
  '(?:[^x]*?){9}x',
  '(?:a?){80}b',
])('/%s/ takes less than a second for 2000 letters, however it may backtrack', (source) => {
  const started = performance.now()
  linearPattern(source, '')('a'.repeat(2000))
  expect(performance.now() - started).toBeLessThan(1000)
})

test.each([
  ['(a)\\1', /It has the backreference \\1, which takes too long to match\. Write it without\./],
  ['(?<x>a)\\k<x>', /It has the backreference \\k/],
  ['a{251}', /It has more than 250 steps/],
  ['((a{99}){99}){99}', /It has more than 250 steps/],
  ['(){1000000000}', /It has more than 250 steps/],
  ['(?:a{0}){1000000000}', /It has more than 250 steps/],
  [`${'('.repeat(2000)}a${')'.repeat(2000)}`, /It has more than 250 steps/],
])('refuses /%s/ with a sentence', (source, sentence) => {
  expect(() => linearPattern(source, '')).toThrow(PatternError)
  expect(() => linearPattern(source, '')).toThrow(sentence)
})
