import { type AddressInfo, createServer, type Socket } from 'node:net'
import { isOneOf } from '../../app/auth/static-tokens.ts'
import { plainError } from '../../engine/pool/plain-error.ts'
import { EngineBusy, type StatementEngine, StatementTimeout } from '../../statement.ts'
import { createNodeEngine } from '../pglite/index.ts'
import { randomToken } from '../random-token.ts'
import { FrameReader, writeFrame } from './frames.ts'
import type { Asked, Told } from './messages.ts'
import { ReceivedOverlays } from './received-overlays.ts'

/** Longest request: a statement has at most 1 MiB. Whoever does not know the key cannot fill the memory. */
const maxAskedBytes = 8 << 20

/** Engines that other processes of this machine use. */
export interface SharedEngines {
  /** For the environment variable. */
  readonly address: string
  close(): Promise<void>
}

/** Serves engines on a free port of 127.0.0.1. An engine starts with the first request for its options. */
export async function serveEngines(): Promise<SharedEngines> {
  const key = randomToken()
  const engines = new Map<string, Promise<StatementEngine>>()
  const sockets = new Set<Socket>()
  const overlays = new ReceivedOverlays()

  const engineOf = ({ engine: options }: Asked): Promise<StatementEngine> => {
    const name = JSON.stringify(options)
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
      const reader = new FrameReader<Asked>(socket, maxAskedBytes)
      for (let frame = await reader.next(); frame; frame = await reader.next()) {
        if (!isOneOf(frame.head.key, [key])) break
        await answer(frame.head, await engineOf(frame.head), overlays, socket, left.signal)
      }
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
  engine: StatementEngine,
  overlays: ReceivedOverlays,
  socket: Socket,
  signal: AbortSignal,
): Promise<void> {
  const tell = (told: Told, bytes?: Uint8Array) => writeFrame(socket, told, bytes)
  if (asked.statement === undefined) return tell({ last: true })
  let hasBegun = false
  try {
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
