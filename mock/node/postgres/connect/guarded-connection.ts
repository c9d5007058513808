import type { Socket } from 'node:net'
import pg from 'pg'
import type { Encryption } from './tls.ts'

/** What a connection of `pg` can do beyond its types. */
interface LibraryConnection {
  readonly stream: Socket
  on(event: 'error', act: () => void): void
  once(event: 'connect' | 'sslconnect' | 'end', act: () => void): void
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  attachListeners(stream: { on(event: string, act: (bytes: Buffer) => void): void }): void
}
const LibraryConnection = pg.Connection as unknown as new (options: {
  readonly ssl: Encryption
  readonly keepAlive?: boolean
}) => LibraryConnection

/** A connection of `pg` that a malformed message ends. The parser of the library throws in a handler of the socket, which would end the process. */
export class GuardedConnection extends LibraryConnection {
  override attachListeners(stream: Socket): void {
    super.attachListeners({ on: (event, act) => stream.on(event, guarded(stream, act)) })
  }
}

/** A handler of the bytes of a socket: where it throws, the socket is closed with a sentence. */
export const guarded =
  (socket: Socket, read: (bytes: Buffer) => void) =>
  (bytes: Buffer): void => {
    try {
      read(bytes)
    } catch (error) {
      socket.destroy(new Error('The server sent a malformed message.', { cause: error }))
    }
  }
