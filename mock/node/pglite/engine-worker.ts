import { parentPort } from 'node:worker_threads'
import { SqlError, StatementRefused } from '../../engine/engine.ts'
import { selfTest } from '../../engine/self-test.ts'
import { Session } from '../../engine/session.ts'
import { loadParser } from '../../gate/gate.ts'
import { type Final, initialCredit, type PlainSqlError, type Reply, type Request } from './protocol.ts'

/** The thread of one engine: a session that is told what to run by messages. */
if (!parentPort) throw new Error('engine-worker.ts runs as a worker thread: use createNodeEngine.')
const port = parentPort
const parserLoaded = loadParser()

let session: Session
/** Statements and changes, one after the other in the order they came. One that fails ends the thread. */
let turn: Promise<void> = Promise.resolve()
let credit = 0
let stopped = false
let wake = () => {}

port.on('message', (request: Request) => {
  switch (request.type) {
    case 'boot':
      return void boot(request)
    case 'run':
      credit = initialCredit
      stopped = false
      turn = turn.then(() => run(request))
      return
    case 'apply':
      turn = turn.then(() => session.apply(request.steps)).then(() => reply({ type: 'applied' }))
      return
    case 'more':
      credit++
      return wake()
    case 'stop':
      stopped = true
      return wake()
  }
})

async function boot({ snapshot, artifacts }: Extract<Request, { type: 'boot' }>): Promise<void> {
  try {
    await parserLoaded
    session = await Session.open(snapshot, artifacts)
    await selfTest(session)
    reply({ type: 'ready' })
  } catch (error) {
    reply({ type: 'unfit', message: error instanceof Error ? error.message : String(error) })
  }
}

async function run({ statement, ...options }: Extract<Request, { type: 'run' }>): Promise<void> {
  try {
    for await (const { columns, chunks, last } of session.run(statement, options)) {
      credit--
      reply({ type: 'page', columns, chunks, ...(last && { final: final() }) }, chunks)
      if (last) continue
      if (credit === 0 && !stopped) await new Promise<void>((resolve) => (wake = resolve))
      if (stopped) {
        reply({ type: 'stopped', final: final() })
        return
      }
    }
  } catch (error) {
    reply({ type: 'failed', error: plain(error), final: final(!(error instanceof SqlError)) })
  }
}

function final(poisoned = false): Final {
  if (poisoned) return { wear: 'poison' }
  return session.worn ? { wear: 'memory' } : {}
}

function plain(error: unknown): PlainSqlError {
  if (!(error instanceof SqlError)) {
    return { refused: false, kind: 'other', message: `The engine broke: ${error}`, sqlState: 'XX000' }
  }
  const { kind, message, sqlState, relation } = error
  return { refused: error instanceof StatementRefused, kind, message, sqlState, relation }
}

function reply(message: Reply, chunks: readonly Uint8Array[] = []): void {
  port.postMessage(
    message,
    chunks.map(({ buffer }) => buffer as ArrayBuffer),
  )
}
