import type { Socket } from 'node:net'
import pg from 'pg'
import { MessageReader } from '../../../engine/result/wire.ts'
import type { Encryption } from './tls.ts'

export interface GuardedOptions {
  readonly ssl: Encryption
  readonly keepAlive?: boolean
}

/** What `pg` can do beyond its types. */
export interface LibraryConnection {
  readonly stream: Socket
  on(event: 'error', act: () => void): void
  once(event: 'connect' | 'sslconnect' | 'end', act: () => void): void
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  attachListeners(stream: Socket): void
}
const LibraryConnection = pg.Connection as unknown as new (options: GuardedOptions) => LibraryConnection

/**
 * A connection of `pg` that a malformed message ends. The library's parser throws in a handler of the socket, which would end
 * the process, or waits for bytes that never come.
 */
export class GuardedConnection extends LibraryConnection {
  override attachListeners(stream: Socket): void {
    const before = stream.listeners('data')
    super.attachListeners(stream)
    for (const read of stream.listeners('data') as ((bytes: Buffer) => void)[]) {
      if (before.includes(read)) continue
      const lengths = new MessageReader(() => {}, 0)
      stream.off('data', read)
      stream.on(
        'data',
        guarded(stream, (bytes) => {
          lengths.push(bytes)
          read(bytes)
        }),
      )
    }
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
