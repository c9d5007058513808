import { type AddressInfo, createServer, type Socket } from 'node:net'
import { microsOf } from '../../../base/time/micros.ts'
import { defaultPlant } from '../../../fixtures/default-plant.ts'
import { isOneOf } from '../../app/auth/static-tokens.ts'
import { plainError } from '../../engine/pool/plain-error.ts'
import { EngineBusy, StatementTimeout } from '../../statement.ts'
import { createNodeEngine, type NodeEngine } from '../pglite/index.ts'
import { randomToken } from '../random-token.ts'
import { FrameReader, writeFrame } from './frames.ts'
import { type Asked, type Hello, type SharedOptions, sharedOptionsOf, type Told } from './messages.ts'
import { ReceivedOverlays } from './received-overlays.ts'

/** Longest first message: whoever does not know the key cannot fill the memory. */
const maxHelloBytes = 1 << 10

/** Engines that other processes of this machine use. */
export interface SharedEngines {
  /** For the environment variable. */
  readonly address: string
  /** Resolves when the engine with these options is ready, and the changes of its plant can be computed. */
  prepare(options: SharedOptions): Promise<void>
  close(): Promise<void>
}

/** Serves engines on a free port of 127.0.0.1. An engine starts with the first request for its options. */
export async function serveEngines(): Promise<SharedEngines> {
  const key = randomToken()
  const engines = new Map<string, Promise<NodeEngine>>()
  const sockets = new Set<Socket>()
  const overlays = new ReceivedOverlays()

  const engineOf = (options: SharedOptions): Promise<NodeEngine> => {
    const name = JSON.stringify(sharedOptionsOf(options))
    const known = engines.get(name)
    if (known) return known
    const starting = createNodeEngine(options)
    engines.set(name, starting)
    starting.catch(() => engines.delete(name))
    return starting
  }

  const server = createServer(async (socket) => {
    sockets.add(socket)
    const left = new AbortController()
    socket.once('close', () => {
      sockets.delete(socket)
      left.abort(new Error('The test worker left.'))
    })
    socket.on('error', () => {})
    try {
      const reader = new FrameReader<Hello | Asked>(socket)
      const hello = await reader.next(maxHelloBytes)
      if (!hello || !('key' in hello.head) || !isOneOf(hello.head.key, [key])) return
      for (let frame = await reader.next(); frame && 'engine' in frame.head; frame = await reader.next())
        await answer(frame.head, await engineOf(frame.head.engine), overlays, socket, left.signal)
    } catch {
      // the client learns it from the closed connection
    } finally {
      socket.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    address: `${port}:${key}`,
    prepare: async (options) => {
      const time = microsOf('asOf', options.asOf ?? defaultPlant.asOf)
      await (await engineOf(options)).changes?.(time, time)
    },
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      const started = await Promise.allSettled(engines.values())
      await Promise.all(started.map((engine) => engine.status === 'fulfilled' && engine.value.close()))
    },
  }
}

async function answer(
  asked: Asked,
  engine: NodeEngine,
  overlays: ReceivedOverlays,
  socket: Socket,
  signal: AbortSignal,
): Promise<void> {
  const tell = (told: Told, bytes?: Uint8Array) => writeFrame(socket, told, bytes)
  let hasBegun = false
  try {
    if (asked.changes) return await tell({ changes: await engine.changes!(...asked.changes) })
    if (asked.statement === undefined) return await tell({ last: true })
    const { columns, chunks } = await engine.execute(asked.statement, {
      ...asked.options,
      signal,
      ...(asked.overlay && { overlay: overlays.update(asked.overlay) }),
    })
    hasBegun = true
    if (!(Symbol.asyncIterator in chunks)) return await tell({ columns, last: true }, Buffer.concat(chunks))
    await tell({ columns, last: false })
    for await (const chunk of chunks) await tell({ last: false }, chunk)
    await tell({ last: true })
  } catch (error) {
    if (hasBegun) throw error
    if (error instanceof StatementTimeout) return tell({ timeout: error.limitMs })
    return tell(error instanceof EngineBusy ? { busy: error.message } : { error: plainError(error) })
  }
}
