import { SqlError } from '../../statement.ts'
import type { Page } from '../result/result.ts'
import { selfTest } from '../session/self-test.ts'
import type { Artifacts } from '../snapshot/artifacts.ts'
import { Session } from '../session/session.ts'
import { type Final, initialCredit, type Reply, type Request } from './protocol.ts'
import { plainError } from './plain-error.ts'
import { SmallReplies } from './small-replies.ts'

/** The message port of a thread: `parentPort` of node, or the scope of a page's worker. */
export interface EnginePort {
  on(event: 'message', listener: (request: Request) => void): void
  postMessage(message: Reply, transfer: readonly ArrayBuffer[]): void
}

/** Opens a session from the bytes of a snapshot. @throws Error if it must not serve */
type OpenSession = (snapshot: Uint8Array, artifacts: Artifacts) => Promise<Session>

const openSession: OpenSession = async (snapshot, artifacts) => {
  const session = await Session.open(snapshot, artifacts)
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
  #withdrawn: Int32Array | undefined
  #replies: SmallReplies | undefined
  /** The names of the columns that were sent last. */
  #columns: Page['columns'] | undefined
  /** The number of the running statement. */
  #running = 0
  /** Number of pages that may be sent before the reader takes one. */
  #credit = 0
  #stopped = false
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
        if (request.number !== this.#running) return
        this.#stopped = true
        return this.#wake()
    }
  }

  async #boot({
    snapshot,
    artifacts,
    withdrawn,
    replies,
  }: Extract<Request, { type: 'boot' }>): Promise<void> {
    this.#withdrawn = withdrawn
    this.#replies = replies && new SmallReplies(replies)
    try {
      this.#session = await this.#open(snapshot, artifacts)
      this.#reply({ type: 'ready' })
    } catch (error) {
      this.#reply({ type: 'unfit', message: error instanceof Error ? error.message : String(error) })
    }
  }

  async #run({ number, statement, settings, overlay }: Extract<Request, { type: 'run' }>): Promise<void> {
    if (this.#isWithdrawn(number)) return this.#reply({ type: 'stopped', final: {} })
    this.#running = number
    this.#credit = initialCredit
    this.#stopped = false
    try {
      const pages = this.#session.run(statement, settings, overlay)
      for await (const page of pages) {
        this.#credit--
        if (page.last) {
          this.#replyLast(number, page)
          continue
        }
        const { chunks } = page
        this.#reply({ type: 'page', columns: this.#newColumns(page), chunks }, chunks)
        if (this.#credit === 0 && !this.#stopped) await new Promise<void>((resolve) => (this.#wake = resolve))
        if (this.#stopped) return this.#reply({ type: 'stopped', final: this.#final() })
      }
    } catch (error) {
      this.#reply({
        type: 'failed',
        error: plainError(error),
        final: this.#final(!(error instanceof SqlError)),
      })
    }
  }

  #replyLast(number: number, page: Page): void {
    const { chunks } = page
    const columns = this.#newColumns(page)
    const final = this.#final()
    const small = this.#replies?.write(number, chunks)
    if (small === undefined) return this.#reply({ type: 'page', columns, chunks, final }, chunks)
    this.#reply({ type: 'page', columns, chunks: [], small, final })
  }

  /** The names of the columns, unless they were sent with the page before. */
  #newColumns({ columns }: Page): Page['columns'] | undefined {
    if (columns === this.#columns) return undefined
    return (this.#columns = columns)
  }

  #isWithdrawn(number: number): boolean {
    const numbers = this.#withdrawn
    // the second one was written last
    return numbers !== undefined && number <= Atomics.load(numbers, 1) && number > Atomics.load(numbers, 0)
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
