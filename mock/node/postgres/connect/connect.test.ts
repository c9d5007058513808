import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sendCancel } from './cancel.ts'
import { connect } from './connect.ts'

/** What a server sends to ask for a password: the methods, then its part of the exchange. */
const [methods, challenge] = [
  Buffer.from('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'latin1'),
  Buffer.from('R\0\0\0\x0b\0\0\0\x0br=1', 'latin1'),
]

test('closes the connection to a server that asks for a password where there is none', async () => {
  await using host = createServer((socket) => {
    const answers = [methods, challenge]
    socket.on('data', () => socket.write(answers.shift() ?? ''))
  })
  const accepted = once(host, 'connection')
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const { port } = host.address() as AddressInfo
  const config = { host: '127.0.0.1', port, user: 'reader', database: 'plant' }
  await expect(connect({ name: 'db', config, encryptions: [false] })).rejects.toThrow(
    /password must be a string/,
  )
  const [socket] = (await accepted) as [Socket]
  if (!socket.destroyed) await once(socket, 'close')
})

test('leaves a server that does not close the connection of a request to cancel', async () => {
  await using host = createServer({ allowHalfOpen: true }, (socket) => socket.resume())
  const accepted = once(host, 'connection')
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const { port } = host.address() as AddressInfo
  await sendCancel({ host: '127.0.0.1', port, ssl: false, processID: 1, secretKey: 1 })
  const [socket] = (await accepted) as [Socket]
  socket.destroy()
})
