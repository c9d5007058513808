import { parentPort } from 'node:worker_threads'
import { plainError, type PlainSqlError } from '../../../engine/pool/plain-error.ts'
import { isParserBroken, loadParser } from '../../../gate/gate.ts'
import { type Admitted, admitted, type Asked } from './admitted.ts'

/** The gate takes the next statement once it has replied. */
export interface GateReply {
  readonly admitted?: readonly Admitted[]
  readonly refused?: PlainSqlError
  /** Whether the thread has to be replaced. */
  readonly isBroken: boolean
}

const port = parentPort
if (!port) throw new Error('gate-worker.ts runs as a worker thread: use Gate.')
await loadParser()
port.on('message', (asked: Asked) => {
  const answer = answerTo(asked)
  port.postMessage({ isBroken: isParserBroken(), ...answer } satisfies GateReply)
})
port.postMessage('ready')

function answerTo(asked: Asked): Omit<GateReply, 'isBroken'> {
  try {
    return { admitted: admitted(asked) }
  } catch (error) {
    return { refused: plainError(error) }
  }
}
