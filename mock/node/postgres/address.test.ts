import { describe, expect, test } from 'vitest'
import { parseDatabaseUrl } from './address.ts'

describe('parseDatabaseUrl', () => {
  test('reads several hosts, each with its own port, and the rest for each of them', () => {
    const { hosts, kind } = parseDatabaseUrl(
      'postgres://me:p%40ss@one:6432,two,[::1]:7/plant?target_session_attrs=standby',
    )
    expect(hosts.map(({ name }) => name)).toEqual(['one:6432', 'two:5432', '::1:7'])
    expect(hosts[1]!.config).toMatchObject({
      connectionString: 'postgres://me:p%40ss@two/plant?target_session_attrs=standby',
    })
    expect(kind).toBe('standby')
  })

  test.each([
    ['postgres://h/x', 'prefer-standby'],
    ['postgresql://h/x?target_session_attrs=read-write', 'primary'],
    ['postgres://h/x?target_session_attrs=any', 'any'],
  ])('reads from %s which hosts may answer: %s', (url, kind) => {
    expect(parseDatabaseUrl(url).kind).toBe(kind)
  })

  test.each([
    ['plant.db', /is not a URL/],
    ['postgres://h,,i/x', /has an empty host/],
    ['postgres://me:secret word@h:port/x', /cannot be read at the host "h:port"/],
    [
      'postgres://me:secret@h/x?sslrootcert=/no/such/secret.pem&sslmode=verify-full',
      /the files that it names/,
    ],
    ['postgres://me:secret@h/x?target_session_attrs=fast', /target_session_attrs=fast is unknown/],
  ])('explains what is wrong with %s', (url, message) => {
    expect(() => parseDatabaseUrl(url)).toThrow(message)
    expect(() => parseDatabaseUrl(url)).not.toThrow(/secret/)
  })
})
