import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../mock/index.ts'
import { runCli, startCliServer } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())
const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder.dir, name)) as [string, string]
const lacksOpenssl = spawnSync('openssl', ['version']).status !== 0
if (lacksOpenssl) console.error('The tests of HTTPS were skipped: openssl is not installed.')
else
  execFileSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    cert,
  ])

/** Sends a statement; `ca` is the certificate that the client trusts. */
const ask = (baseUrl: string, token: string, ca?: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}/external/v1/statements/`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(ca !== undefined && { ca }),
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode!, text }))
      },
    )
    sent.on('error', reject)
    sent.end('{"statement":"SELECT id FROM v_formulas LIMIT 1"}')
  })

describe.skipIf(lacksOpenssl)('serve --cert --key', () => {
  test('answers over HTTPS those who trust its certificate, and stops at once with a connection open', async () => {
    const server = await startCliServer([
      '--scale',
      '0.01',
      '--cert',
      cert,
      '--key',
      key,
      '--token',
      'secret',
    ])
    expect(server.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const { status, text } = await ask(server.baseUrl, 'secret', readFileSync(cert, 'utf8'))
    expect([status, JSON.parse(text).status.state]).toEqual([200, 'success'])
    await expect(ask(server.baseUrl, 'secret')).rejects.toThrow('self-signed certificate')
    const idle = connect({ port: Number(new URL(server.baseUrl).port), ca: readFileSync(cert) })
    await once(idle, 'secureConnect')
    const before = performance.now()
    await server.stop()
    expect(performance.now() - before).toBeLessThan(4000)
  })

  test('says what is wrong with a certificate', async () => {
    const alone = await runCli(['serve', '--cert', cert])
    expect([alone.exitCode, alone.stderr]).toEqual([
      2,
      expect.stringContaining('--cert and --key belong together'),
    ])
    const missing = await runCli(['serve', '--cert', join(folder.dir, 'none.pem'), '--key', key])
    expect(missing.stderr).toMatch(/certificate.*none\.pem/)
    const certificate = { cert: readFileSync(key, 'utf8'), key: readFileSync(cert, 'utf8') }
    await expect(startServer({ scale: 0.01, certificate })).rejects.toThrow(
      'Give a PEM file of each that belong together.',
    )
  })
})
