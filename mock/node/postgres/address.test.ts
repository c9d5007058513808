import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseDatabaseUrl } from './address.ts'

afterEach(() => vi.unstubAllEnvs())

describe('parseDatabaseUrl', () => {
  test('reads several hosts in their order, each with its own port, and the rest for each of them', () => {
    const hosts = parseDatabaseUrl(
      'postgres://me:p%40ss@one:6432,two,[::1]:7/plant?sslmode=disable&options=-x',
    )
    expect(hosts.map(({ name }) => name)).toEqual(['one:6432', 'two:5432', '::1:7'])
    expect(hosts[1]!.config).toMatchObject({ connectionString: 'postgres://me:p%40ss@two/plant?options=-x' })
  })

  test.each([
    'plant.db',
    'postgres://h,,i/x',
    'postgres://me:secret word@h:port/x',
    'postgres://me:pa#secret@h/x',
    'postgres://me:pa/secret@h/x',
    'postgres://me:pa?secret@h/x',
    'postgres://me:pa@secret@h/x',
    'postgres://secret/of@h/x',
    'postgres://me:secret@h/x?sslrootcert=/no/such/secret.pem&sslmode=verify-full',
    'postgres://me:secret@h/x?sslmode=secret',
    'postgres://me:secret@h/x?target_session_attrs=secret',
  ])('repeats nothing of %s', (url) => {
    let message = ''
    expect(() => {
      try {
        parseDatabaseUrl(url)
      } catch (error) {
        message = String(error)
        throw error
      }
    }).toThrow(/^(--database|The file of sslrootcert|The sslmode of|target_session_attrs of)/)
    expect(message).not.toMatch(/secret|"|\bme\b/)
  })
})

const ways = (parameters: string) => parseDatabaseUrl(`postgres://h/x${parameters}`)[0]!.encryptions

describe('sslmode', () => {
  const unverified = { rejectUnauthorized: false }

  test.each([
    ['', [unverified, false]],
    ['?sslmode=prefer', [unverified, false]],
    ['?sslmode=allow', [false, unverified]],
    ['?sslmode=disable', [false]],
    ['?sslmode=require', [unverified]],
    ['?sslmode=verify-ca', [{ checkServerIdentity: expect.any(Function) }]],
    ['?sslmode=verify-full', [{}]],
    ['?sslrootcert=system', [{}]],
    ['?host=/var/run/postgresql', [false]],
  ])('%j is read as by libpq', (parameters, expected) => {
    expect(ways(parameters)).toEqual(expected)
  })

  test('and the authorities come from the environment if the URL has none', () => {
    vi.stubEnv('PGSSLMODE', 'require')
    expect(ways('')).toEqual([unverified])
    expect(ways('?sslmode=disable')).toEqual([false])
    vi.stubEnv('PGSSLROOTCERT', import.meta.filename)
    expect(ways('')).toEqual([{ ca: expect.any(Buffer), checkServerIdentity: expect.any(Function) }])
  })
})
