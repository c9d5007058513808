import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
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
    }).toThrow(/^(--database|The file of sslrootcert|The sslmode of)/)
    expect(message).not.toMatch(/secret|"|\bme\b/)
  })
})

const messageOf = (parameters: string): string => {
  try {
    parseDatabaseUrl(`postgres://h/x?${parameters}`)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('parameters', () => {
  test.each([
    'sslmod=verify-full',
    'sslMode=verify-full',
    'ssl=true',
    'require_auth=scram-sha-256',
    'channel_binding=require',
    'ssl_min_protocol_version=TLSv1.3',
    'sslcrl=/x',
    'gssencmode=require',
    'hostaddr=127.0.0.1',
    'dbname=y',
    'target_session_attrs=any',
    'foo=1',
    'query_timeout=1',
    'connect_timeout=10',
  ])('refuses %s, which nothing would obey, by its name', (parameter) => {
    const name = parameter.split('=')[0]!
    expect(messageOf(parameter)).toMatch(
      new RegExp(`^--database has the parameter ${name}, which is not supported\\. Remove it`),
    )
  })

  test('refuses a parameter that is there twice, one without a value, and broken encodings', () => {
    expect(messageOf('sslmode=verify-full&sslmode=disable')).toMatch(/a parameter twice/)
    for (const broken of ['options=%zz', 'options=100%', 'sslmode', 'ssl%6Dode=disable', '=x'])
      expect(messageOf(broken)).toMatch(
        /^--database has (a|the) parameter.*, which is not supported.*% as %25/,
      )
  })

  test('repeats nothing of what may be the rest of a password', () => {
    expect(messageOf('password=a&secret=b')).toMatch(
      /^--database has a parameter, .* percent-encode the password: & as %26/,
    )
    expect(messageOf('password=a&secret=b')).not.toContain('secret')
  })

  test('decodes as libpq does, which reads a + as itself', () => {
    const [host] = parseDatabaseUrl(
      'postgres://h/x?password=a+b%26c&application_name=me&options=-c%20jit=off',
    )
    const client = new pg.Client({ ...host!.config, ssl: false })
    expect(client.password).toBe('a+b&c')
    expect(host!.config.connectionString).toContain('options=-c%20jit%3Doff')
  })

  test('refuses variables of the environment that demand what nothing would obey', () => {
    vi.stubEnv('PGGSSENCMODE', 'disable')
    vi.stubEnv('PGCHANNELBINDING', 'prefer')
    expect(messageOf('')).toBe('')
    vi.stubEnv('PGCHANNELBINDING', 'require')
    expect(messageOf('')).toMatch(/cannot be used with PGCHANNELBINDING, .* Unset it/)
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

  test.each(['linux', 'win32'] as const)(
    'and the authorities come from the folder of libpq on %s',
    (name) => {
      const { platform } = process
      const home = mkdtempSync(join(tmpdir(), 'home-'))
      onTestFinished(() => {
        Object.defineProperty(process, 'platform', { value: platform })
        rmSync(home, { recursive: true })
      })
      Object.defineProperty(process, 'platform', { value: name })
      vi.stubEnv(name === 'win32' ? 'APPDATA' : 'HOME', home)
      const folder = join(home, name === 'win32' ? 'postgresql' : '.postgresql')
      mkdirSync(folder)
      writeFileSync(join(folder, 'root.crt'), 'authority')
      expect(ways('?sslmode=require')).toEqual([
        { ca: Buffer.from('authority'), checkServerIdentity: expect.any(Function) },
      ])
    },
  )
})
