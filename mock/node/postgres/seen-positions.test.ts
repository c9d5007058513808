import { describe, expect, test } from 'vitest'
import { SeenPositions } from './seen-positions.ts'

describe('SeenPositions', () => {
  test('remembers the furthest position of each owner', () => {
    const seen = new SeenPositions()
    seen.add('a', 9000n)
    seen.add('a', 8500n)
    seen.add('b', 100n)
    expect([seen.of('a'), seen.of('b'), seen.of('c')]).toEqual([9000n, 100n, 0n])
  })

  test('ends a position in the header of a page at the page, which a standby reaches', () => {
    const seen = new SeenPositions()
    seen.add('a', 8192n * 3n + 24n)
    expect(seen.of('a')).toBe(8192n * 3n)
    seen.add('a', 8192n * 3n + 41n)
    expect(seen.of('a')).toBe(8192n * 3n + 41n)
  })

  test('promises the same to owners that it forgot', () => {
    const seen = new SeenPositions()
    seen.add('first', 5000n)
    for (let n = 0; n < 10_000; n++) seen.add(`owner-${n}`, 100n)
    expect(seen.of('first')).toBe(5000n)
    expect(seen.of('a new one')).toBe(5000n)
  })
})
