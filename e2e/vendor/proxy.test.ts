import { createServer, request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { contract } from '../../schemas/index.ts'
import { end, finished, printed, spawnCli } from '../support/cli.ts'

const good = JSON.stringify({ data: [], status: { state: 'success', message: 'no results' } })

test('proxy --judge exits with 3 if there was no exchange', async () => {
  const child = spawnCli(['proxy', '--judge', '--target', 'http://127.0.0.1:9'])
  onTestFinished(() => end(child))
  const ending = finished(child)
  await printed(child, /listening/)
  child.kill('SIGINT')
  expect(await ending).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('0 exchanges') })
})

test.each<[string, (outgoing: ServerResponse) => unknown, number, string]>([
  ['keeps the rules', (outgoing) => outgoing.end(good), 0, 'pass'],
  [
    'is not encoded as it says',
    (outgoing) => outgoing.setHeader('content-encoding', 'gzip').end('xx'),
    1,
    'fail',
  ],
  ['is in zstd', (outgoing) => outgoing.setHeader('content-encoding', 'zstd').end('xx'), 3, 'cannot decode'],
  ['has 2 MiB', (outgoing) => outgoing.end(' '.repeat(2 ** 21)), 3, '--kept-bytes'],
  ['is cut', (outgoing) => outgoing.writeHead(200).write('{', () => outgoing.destroy()), 3, 'cut its answer'],
])('proxy --judge over an answer that %s tells so by its exit code', async (_, answer, exitCode, told) => {
  const service = createServer((incoming, outgoing) => {
    outgoing.setHeader('content-type', 'application/json')
    incoming.resume().on('end', () => void answer(outgoing))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void service.close())
  await once(service, 'listening')
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const child = spawnCli(['proxy', '--judge', '--target', target])
  onTestFinished(() => end(child))
  const ending = finished(child)
  const [, origin] = await printed(child, /listening\s+(\S+)/)
  // fetch may wait forever for a body that is not encoded as it says
  const asked = request(origin + contract.endpoint.path, {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  })
  asked.on('response', (incoming) => void incoming.on('error', () => {}).resume())
  asked.end(JSON.stringify({ statement: 'SELECT id FROM v_quantities' }))
  await once(asked, 'close')
  child.kill('SIGINT')
  expect(await ending).toMatchObject({ exitCode, stdout: expect.stringContaining(told) })
})
