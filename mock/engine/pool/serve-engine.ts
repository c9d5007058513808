import { SqlError } from '../../statement.ts'
import type { Page } from '../result/result.ts'
import { selfTest } from '../session/self-test.ts'
import { Session } from '../session/session.ts'
import { type Final, initialCredit, type Reply, type Request } from './protocol.ts'
import { plainError } from './plain-error.ts'

/** The message port of a thread: `parentPort` of node, or the scope of a page's worker. */
export interface EnginePort {
  on(event: 'message', listener: (request: Request) => void): void
  postMessage(message: Reply, transfer: readonly ArrayBuffer[]): void
}

type RunRequest = Extract<Request, { type: 'run' }>

/** Opens a session from a snapshot. @throws Error if it must not serve */
type OpenSession = (...image: Parameters<typeof Session.open>) => Promise<Session>

const openSession: OpenSession = async (...image) => {
  const session = await Session.open(...image)
  await selfTest(session)
  return session
}

/** Runs one engine in this thread: a session that receives its statements as messages. */
export function serveEngine(port: EnginePort, open: OpenSession = openSession): void {
  const engine = new ServedEngine(port, open)
  port.on('message', (request) => engine.take(request))
}

class ServedEngine {
  readonly #port: EnginePort
  readonly #open: OpenSession
  #session!: Session
  /** Statements and changes run one after the other, in the order of their arrival. A change that fails ends the thread. */
  #turn: Promise<void> = Promise.resolve()
  /** The number of the running statement. */
  #running = 0
  /** Number of pages that may be sent before the reader takes one. */
  #credit = 0
  /** The number of the statement that nobody reads any more. */
  #stopped = 0
  #wake = () => {}

  constructor(port: EnginePort, open: OpenSession) {
    this.#port = port
    this.#open = open
  }

  take(request: Request): void {
    switch (request.type) {
      case 'boot':
        return void this.#boot(request)
      case 'run':
        this.#turn = this.#turn.then(() => this.#run(request))
        return
      case 'apply':
        this.#turn = this.#turn
          .then(() => this.#session.apply(request.steps))
          .then(() => this.#reply({ type: 'applied' }))
        return
      case 'overlay':
        this.#turn = this.#turn
          .then(() => this.#session.overlays.add(request.overlay))
          // a statement may be stopped meanwhile
          .then(() => new Promise((resolve) => setTimeout(resolve)))
          .then(() => this.#reply({ type: 'overlaid' }))
        return
      case 'drop-overlay':
        this.#turn = this.#turn.then(() => this.#session.overlays.drop(request.id))
        return
      case 'more':
        if (request.number !== this.#running) return
        this.#credit++
        return this.#wake()
      case 'stop':
        this.#stopped = request.number
        return this.#wake()
    }
  }

  async #boot({ snapshot, artifacts, steps }: Extract<Request, { type: 'boot' }>): Promise<void> {
    try {
      this.#session = await this.#open(snapshot, artifacts, steps)
      this.#reply({ type: 'ready' })
    } catch (error) {
      this.#reply({ type: 'unfit', message: error instanceof Error ? error.message : String(error) })
    }
  }

  async #run({ number, statement, settings, overlay, now }: RunRequest): Promise<void> {
    if (this.#stopped === number) return this.#reply({ type: 'stopped', final: {} })
    this.#running = number
    this.#credit = initialCredit
    let isFirst = true
    try {
      for await (const page of this.#session.run(statement, settings, overlay, now)) {
        this.#credit--
        this.#replyPage(page, isFirst)
        isFirst = false
        if (page.last) continue
        if (this.#credit === 0 && this.#stopped !== number)
          await new Promise<void>((resolve) => (this.#wake = resolve))
        if (this.#stopped === number) return this.#reply({ type: 'stopped', final: this.#final() })
      }
    } catch (error) {
      this.#reply({
        type: 'failed',
        error: plainError(error),
        final: this.#final(!(error instanceof SqlError)),
      })
    }
  }

  #replyPage({ columns, chunks, last }: Page, isFirst: boolean): void {
    const final = last ? this.#final() : undefined
    this.#reply({ type: 'page', ...(isFirst && { columns }), chunks, ...(final && { final }) }, chunks)
  }

  #final(poisoned = false): Final {
    if (poisoned) return { replace: 'poison' }
    return this.#session.needsReplacement ? { replace: 'memory' } : {}
  }

  #reply(message: Reply, chunks: readonly Uint8Array[] = []): void {
    this.#port.postMessage(message, buffersOf(chunks))
  }
}

const buffersOf = (chunks: readonly Uint8Array[]) => chunks.map(({ buffer }) => buffer as ArrayBuffer)
