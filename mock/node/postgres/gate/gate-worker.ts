import { parentPort } from 'node:worker_threads'
import { plainError } from '../../../engine/pool/plain-error.ts'
import { isParserBroken, loadParser } from '../../../gate/gate.ts'
import { admitted, type Asked } from './admitted.ts'
import { type GateReply, ready } from './gate-messages.ts'

const port = parentPort
if (!port) throw new Error('gate-worker.ts runs as a worker thread: use GateThread.')
await loadParser()
port.on('message', (request: Asked) => {
  const answer = ask(request)
  port.postMessage({ isBroken: isParserBroken(), ...answer } satisfies GateReply)
})
port.postMessage(ready)

function ask(request: Asked): Partial<GateReply> {
  try {
    return { admitted: admitted(request) }
  } catch (error) {
    return { refused: plainError(error) }
  }
}
