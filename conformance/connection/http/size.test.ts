import { expect, test } from 'vitest'
import { Size } from './size.ts'

/** Measures a text in chunks of the given size. */
function sizeOf(text: string, chunk = 7): Size {
  const size = new Size()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunk) size.add(bytes.subarray(at, at + chunk))
  return size
}

/** An object with a number of members. */
const members = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`

const valuesIn = (text: string): number => (sizeOf(text).memory - Buffer.byteLength(text)) / 64

test.each([
  ['[]', 1],
  ['[1,2,3]', 3],
  ['{"a":[1,2],"b":{}}', 5],
  ['["a,b[{\\",[\\\\",1]', 2],
])('the size of %s counts %i values, in chunks that cut it anywhere', (text, values) => {
  expect(valuesIn(text)).toBe(values)
})

test('the members of an object count as several values if it has more than a row has', () => {
  expect(valuesIn(members(101))).toBe(101)
  expect(valuesIn(members(201))).toBe(101 + 5 * 100)
  expect(valuesIn(`[${'1,'.repeat(200)}1]`)).toBe(201)
})

test('the first part of a reply is free, and what exceeds it counts', () => {
  expect(sizeOf(`[${'"x",'.repeat(50_000)}1]`, 65_536).excess).toBe(0)
  expect(sizeOf('x'.repeat(300_000), 65_536).excess).toBe(300_000 - 256 * 1024)
  expect(sizeOf(`[${'1,'.repeat(250_009)}1]`, 65_536).excess).toBe(250_009 * 2 + 3 - 256 * 1024 + 10 * 64)
})

test('of a reply that is soon forgotten 8 MiB are free', () => {
  const size = new Size(true)
  size.add(Buffer.alloc(8 * 1024 * 1024 + 5, ' '))
  expect(size.excess).toBe(5)
})

test('a body of more than 64 MiB, or of more than two million values, is too large', () => {
  const size = new Size()
  const spaces = Buffer.alloc(1024 * 1024, ' ')
  for (let n = 0; n < 64; n++) size.add(spaces)
  expect(() => size.add(spaces)).toThrow('is larger than 64 MiB')
  expect(() => new Size().add(Buffer.from(`[${'{},'.repeat(1_000_000)}{}]`))).toThrow(
    'has more than 2,000,000 values',
  )
})
