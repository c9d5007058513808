import { describe, expect, test } from 'vitest'
import { SeenPosition, TooEarly } from './position.ts'

const standby = (bytes: bigint) => ({ inRecovery: true, bytes })

describe('SeenPosition', () => {
  test('refuses a standby that is behind the furthest position, and no primary', () => {
    const seen = new SeenPosition()
    seen.add(standby(9000n))
    seen.add(standby(8500n))
    expect(() => seen.check(standby(8999n))).toThrow(TooEarly)
    expect(() => seen.check(standby(9000n))).not.toThrow()
    expect(() => seen.check({ inRecovery: false, bytes: 1n })).not.toThrow()
  })

  test('ends a position in the header of a page at the page, which a standby reaches', () => {
    const seen = new SeenPosition()
    seen.add(standby(8192n * 3n + 24n))
    expect(() => seen.check(standby(8192n * 3n))).not.toThrow()
    seen.add(standby(8192n * 3n + 41n))
    expect(() => seen.check(standby(8192n * 3n + 40n))).toThrow(TooEarly)
  })
})
