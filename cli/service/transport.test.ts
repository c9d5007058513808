import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { runConformance } from '../../conformance/index.ts'
import { waitForTarget } from './wait-for-target.ts'
import { transportOf } from './transport.ts'

const servers: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) server.close()
})

/** A proxy that answers each CONNECT with a status. */
async function proxy(status: number): Promise<string> {
  const server = createServer().on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address where nothing listens. */
async function closed(): Promise<string> {
  const address = await proxy(200)
  await new Promise((resolve) => servers.pop()!.close(resolve))
  return address
}

test.each(['http://service.example', 'https://service.example'])(
  'a proxy that cannot be reached is named, and not the service: %s',
  async (baseUrl) => {
    const address = await closed()
    const target = { baseUrl, token: null, fetch: await transportOf({ proxy: `http://${address}` }) }
    const { verdict, reasons } = await runConformance({ ...target, retries: 0, only: ['http.state'] })
    expect([verdict, reasons.join()]).toEqual([
      'unreachable',
      expect.stringContaining(
        `the proxy ${address} cannot be reached (ECONNREFUSED); correct --proxy, or ask who runs the proxy.`,
      ),
    ])
  },
)

test('a proxy that refuses is named with its status and its variable, without its password', async () => {
  const address = await proxy(407)
  vi.stubEnv('HTTPS_PROXY', `http://user:secret@${address}`)
  vi.stubEnv('https_proxy', undefined)
  const baseUrl = 'https://service.example'
  const waited = await waitForTarget(
    { baseUrl, fetch: await transportOf({}) },
    100,
    new AbortController().signal,
  )
  expect(waited).toContain(`(the proxy ${address} refused to connect (HTTP 407); correct HTTPS_PROXY, or ask`)
  expect(waited).not.toContain('secret')
})

test.each([
  [{ proxy: '127.0.0.1:3128' }, 'is not a proxy URL'],
  [{ ca: 'absent.pem' }, 'Cannot read the file of --ca'],
  [{ ca: 'package.json' }, 'holds no certificate'],
])('%j is refused with a usage error', async (flags, sentence) => {
  const refused = await transportOf(flags).catch((error: unknown) => error)
  expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining(sentence) })
})
