import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A message of the protocol. Source: PostgreSQL documentation, "Message Formats". */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const int16 = (n: number) => Buffer.from([n >> 8, n & 255])
const int32 = (n: number) => Buffer.concat([int16(n >> 16), int16(n & 65535)])
const ready = message('Z', 'I')

/** A server that answers every query with the number of a version, as one that is not supported does to the first. */
export async function startOtherVersion(version: number): Promise<{ url: string; stop(): Promise<void> }> {
  const field = [int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]
  const answer = Buffer.concat([
    message('T', int16(1), 'version\0', ...field),
    message('D', int16(1), int32(String(version).length), String(version)),
    message('C', 'SELECT 1\0'),
    ready,
  ])
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', () => socket.write(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://reader@127.0.0.1:${port}/plant`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
