import { createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { OneConnection } from './one-connection.ts'

const reply = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

/** Starts a server that writes the packets of each request in turn, 10 ms apart. */
async function start(...packets: string[][]): Promise<string> {
  let n = 0
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', async () => {
      for (const packet of packets[n++] ?? [reply('other')]) {
        socket.write(packet)
        await setTimeout(10)
      }
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Sends three requests, and reads the text of each reply some milliseconds after its headers. */
async function ask(url: string, beforeReadMs = 0): Promise<string[]> {
  const connection = new OneConnection()
  const texts: string[] = []
  for (let n = 0; n < 3; n++) {
    const text = connection.fetch(url, {}).then(async (response) => {
      await setTimeout(beforeReadMs)
      return response.text()
    })
    texts.push(await text.catch((error: NodeJS.ErrnoException) => error.code ?? error.name))
    await setTimeout(20)
  }
  connection.close()
  return texts
}

test.each([
  ['in the packet of the first reply', [[reply('one') + 'more']], ['one', 'HPE_BEHIND', 'other']],
  ['in the packet of a later reply', [[reply('one')], [reply('two') + 'more']], ['one', 'two', 'HPE_BEHIND']],
  ['in a packet of their own', [[reply('one')], [reply('two'), 'more']], ['one', 'two', 'HPE_BEHIND']],
])('bytes behind a reply %s are a failure of the next request', async (_, packets, texts) => {
  expect(await ask(await start(...packets))).toEqual(texts)
})

test('bytes are seen that come behind a reply before its body is read', async () => {
  const url = await start([reply('one')], [reply('two'), 'more'])
  expect(await ask(url, 30)).toEqual(['one', 'two', 'HPE_BEHIND'])
})

test('replies without bytes behind them are read, also where the target announces with a 408 that it closes', async () => {
  const announced = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'
  expect(await ask(await start())).toEqual(['other', 'other', 'other'])
  expect(await ask(await start([reply('one'), announced]))).toEqual(['one', 'other', 'other'])
})
