import { parentPort } from 'node:worker_threads'
import { plainError } from '../../../engine/pool/plain-error.ts'
import { isParserBroken, loadParser } from '../../../gate/gate.ts'
import { admitted } from './admitted.ts'
import { type GateReply, type GateRequest, ready } from './gate-messages.ts'

const port = parentPort
if (!port) throw new Error('gate-worker.ts runs as a worker thread: use GateThread.')
await loadParser()
port.on('message', (request: GateRequest) => {
  const answer = ask(request)
  port.postMessage({ isBroken: isParserBroken(), ...answer } satisfies GateReply)
})
port.postMessage(ready)

function ask(request: GateRequest): Partial<GateReply> {
  try {
    return { admitted: admitted(request) }
  } catch (error) {
    return { refused: plainError(error) }
  }
}
