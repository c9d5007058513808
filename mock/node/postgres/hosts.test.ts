import { describe, expect, test } from 'vitest'
import { EngineBusy } from '../../statement.ts'
import type { SessionKind } from './address.ts'
import type { Host } from './host.ts'
import { Hosts } from './hosts.ts'

/** What the choice depends on. */
const host = (
  name: string,
  facts: { inRecovery?: boolean; bytes?: bigint; isUp?: boolean; load?: number },
) => {
  const { inRecovery = true, bytes = 100n, isUp = true, load = 0 } = facts
  return { name, isUp, load, hasPlace: load < 1, position: { inRecovery, bytes } } as Host
}
const primary = host('primary', { inRecovery: false, bytes: 200n })
const [one, two] = [host('one', { load: 0.5 }), host('two', { bytes: 90n })]

const chosen = async (hosts: Hosts, owner = 'a', tried: readonly Host[] = []) => {
  const { name } = await hosts.choose(owner, new Set(tried), 0, new AbortController().signal)
  return name
}

describe('the host of a statement', () => {
  test('is the standby with the least load, and then the same for the same owner', async () => {
    const hosts = new Hosts([primary, one, two], 'prefer-standby')
    expect(await chosen(hosts)).toBe('two')
    const busier = host('two', { load: 0.9 })
    const later = new Hosts([primary, one, busier], 'prefer-standby')
    expect(await chosen(later)).toBe('one')
  })

  test('has replayed what the owner has seen, if one has', async () => {
    const hosts = new Hosts([primary, one, two], 'prefer-standby')
    hosts.seen.add('a', 95n)
    expect(await chosen(hosts)).toBe('one')
    expect(await chosen(hosts, 'b')).toBe('two')
  })

  test('is the primary if no standby answers or may answer', async () => {
    const lost = new Hosts([primary, host('one', { isUp: false })], 'prefer-standby')
    expect(await chosen(lost)).toBe('primary')
    const hosts = new Hosts([primary, one, two], 'prefer-standby')
    expect(await chosen(hosts, 'a', [one, two])).toBe('primary')
  })

  test.each<[SessionKind, string]>([
    ['primary', 'primary'],
    ['standby', 'two'],
    ['any', 'primary'],
  ])('is one that target_session_attrs=%s permits', async (kind, name) => {
    expect(await chosen(new Hosts([primary, one, two], kind))).toBe(name)
  })

  test('is waited for until the end, and not longer', async () => {
    const hosts = new Hosts([host('one', { isUp: false })], 'prefer-standby')
    const waiting = hosts.choose('a', new Set(), performance.now() + 200, new AbortController().signal)
    await expect(waiting).rejects.toBeInstanceOf(EngineBusy)
    const behind = new Hosts([one], 'prefer-standby')
    const tried = behind.choose('a', new Set([one]), 0, new AbortController().signal)
    await expect(tried).rejects.toThrow('No host of the database has all that was seen before.')
  })
})
