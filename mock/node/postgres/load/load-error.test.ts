import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { explainLoadError } from './load-error.ts'

const authenticationOk = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

test('explains a statement that is sent after the host was lost', async () => {
  await using host = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]))
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const client = new pg.Client({ host: '127.0.0.1', port: (host.address() as AddressInfo).port })
  const lost = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  await lost
  const error: unknown = await client.query('SELECT 1').catch((error: unknown) => error)
  expect(explainLoadError(error)).toMatchObject({
    name: 'DatabaseError',
    message: expect.stringMatching(/^The host was lost\. .*run the same command again\. Nothing was loaded/),
  })
})

test('says that the reason has to go for an error without a remedy of its own', () => {
  const refused = Object.assign(new Error('division by zero'), { code: '22012' })
  expect(explainLoadError(refused).message).toBe(
    'The database refused a statement. Remove the reason that it gives, and run the same command again. Nothing was loaded: division by zero.',
  )
})
