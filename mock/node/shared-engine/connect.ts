import { connect, type Socket } from 'node:net'
import { fromPlainError } from '../../engine/pool/plain-error.ts'
import type { Micros } from '../../../base/time/micros.ts'
import {
  EngineBusy,
  type ExecuteOptions,
  type Overlay,
  type RowChange,
  type StatementEngine,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import { type Frame, FrameReader, writeFrame } from './frames.ts'
import {
  addressVariable,
  type Asked,
  type Hello,
  type OverlayUpdate,
  type SharedOptions,
  sharedOptionsOf,
  type Told,
} from './messages.ts'

/** A connection runs one statement at a time. */
interface Connection {
  readonly socket: Socket
  readonly reader: FrameReader<Told>
}

/**
 * The engine that the global setup of the test run started, for this process; undefined if there is none, or if it does not
 * answer.
 */
export async function connectEngine(options: SharedOptions): Promise<RemoteEngine | undefined> {
  const [port, key] = process.env[addressVariable]?.split(':') ?? []
  if (port === undefined || key === undefined) return undefined
  const engine = new RemoteEngine(Number(port), key, options)
  return (await engine.isReady()) ? engine : undefined
}

class RemoteEngine implements StatementEngine {
  readonly #port: number
  readonly #hello: Hello
  readonly #options: SharedOptions
  readonly #idle: Connection[] = []
  readonly #all = new Set<Socket>()
  /** The number of changes that the engine has of each overlay. */
  readonly #known = new Map<string, number>()

  constructor(port: number, key: string, options: SharedOptions) {
    this.#port = port
    this.#hello = { key }
    this.#options = sharedOptionsOf(options)
  }

  async isReady(): Promise<boolean> {
    const connection = this.#connection()
    const { frame } = await this.#ask(connection, { options: {} })
    if (frame) this.#idle.push(connection)
    return frame !== undefined
  }

  async execute(
    statement: string,
    { signal, overlay, ...options }: ExecuteOptions,
  ): Promise<StatementResult> {
    signal.throwIfAborted()
    const connection = this.#idle.pop() ?? this.#connection()
    const { socket } = connection
    const leave = () => void socket.destroy()
    signal.addEventListener('abort', leave, { once: true })
    const release = (): void => {
      signal.removeEventListener('abort', leave)
      if (!socket.destroyed) this.#idle.push(connection)
    }
    const changes = overlay?.changes.length ?? 0
    const { frame } = await this.#ask(connection, {
      statement,
      options,
      ...(overlay && { overlay: this.#update(overlay) }),
    })
    if (!frame) throw signal.aborted ? signal.reason : engineLost()
    if (overlay) this.#known.set(overlay.id, Math.max(changes, this.#known.get(overlay.id) ?? 0))
    const { head, bytes } = frame
    if (!('last' in head)) {
      release()
      throw errorOf(head)
    }
    const { columns = [], last } = head
    if (last) release()
    const chunks = last ? [bytes] : rowsOf(connection, release, signal)
    return { columns, chunks }
  }

  readonly changes = async (from: Micros, to: Micros): Promise<readonly RowChange[]> => {
    const connection = this.#idle.pop() ?? this.#connection()
    const { frame } = await this.#ask(connection, { changes: [from, to], options: {} })
    if (!frame) throw engineLost()
    this.#idle.push(connection)
    if ('changes' in frame.head) return frame.head.changes
    throw errorOf(frame.head)
  }

  async close(): Promise<void> {
    for (const socket of this.#all) socket.destroy()
  }

  #update(overlay: Overlay): OverlayUpdate {
    const { id, changes } = overlay
    const from = this.#known.get(id) ?? 0
    return { id, from, changes: changes.slice(from) }
  }

  async #ask({ socket, reader }: Connection, asked: Omit<Asked, 'engine'>) {
    // a waiting test keeps its process alive, an idle connection does not
    socket.ref()
    await writeFrame(socket, { engine: this.#options, ...asked } satisfies Asked)
    const frame: Frame<Told> | undefined = await reader.next().catch(() => undefined)
    if (frame && (!('last' in frame.head) || frame.head.last)) socket.unref()
    return { frame }
  }

  #connection(): Connection {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay()
    socket.on('error', () => {})
    this.#all.add(socket)
    socket.once('close', () => this.#all.delete(socket))
    void writeFrame(socket, this.#hello)
    return { socket, reader: new FrameReader<Told>(socket) }
  }
}

async function* rowsOf({ socket, reader }: Connection, release: () => void, signal: AbortSignal) {
  let isComplete = false
  try {
    while (!isComplete) {
      const frame = await reader.next().catch(() => undefined)
      if (!frame || !('last' in frame.head)) throw signal.aborted ? signal.reason : engineLost()
      isComplete = frame.head.last
      if (frame.bytes.length > 0) yield frame.bytes
    }
    socket.unref()
    release()
  } finally {
    if (!isComplete) socket.destroy()
  }
}

function errorOf(told: Told): unknown {
  if ('timeout' in told) return new StatementTimeout(told.timeout)
  if ('busy' in told) return new EngineBusy(told.busy)
  return 'error' in told ? fromPlainError(told.error) : engineLost()
}

const engineLost = () => new EngineBusy('The shared engine of the test run has ended.')
