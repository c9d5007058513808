import { expect, test } from 'vitest'
import { printable, printableLine } from './printable.ts'

test('shows characters that control a terminal or mislead a reader', () => {
  const text = '\u001b[2J \u202e \u2066 \u200b \ud800 \u{e0041} \u0085 \u2028'
  const shown = '\\u001b[2J \\u202e \\u2066 \\u200b \\ud800 \\u{e0041} \\u0085 \\u2028'
  expect(printable(text)).toBe(shown)
  expect(printable(shown)).toBe(shown)
  expect(printable('µmol 🧫\n\tline')).toBe('µmol 🧫\n\tline')
})

test('a text for one line has no line break', () => {
  expect(printableLine('a\nb\rc')).toBe('a\\nb\\u000dc')
})
