import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowScanner } from './row-scanner.ts'

const row = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))

test('finds the end of every row, however the text is cut', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 8 }),
      fc.nat(8),
      fc.integer({ min: 1, max: 9 }),
      (list, until, size) => {
        const texts = list.map((value) => JSON.stringify(value))
        const bytes = new TextEncoder().encode(texts.join(','))
        const whole = new RowScanner()
        for (let at = 0; at < bytes.length; at += size) whole.read(bytes.subarray(at, at + size))
        expect(whole.rows).toBe(list.length)
        const wanted = Math.min(until, list.length)
        const end = new RowScanner().read(bytes, wanted)
        expect(new TextDecoder().decode(bytes.subarray(0, end))).toBe(texts.slice(0, wanted).join(','))
      },
    ),
  )
})
