import { parentPort } from 'node:worker_threads'
import { plainError, type PlainSqlError } from '../../../engine/pool/plain-error.ts'
import { isParserBroken, loadParser } from '../../../gate/gate.ts'
import type { EngineSettings } from '../../../statement.ts'
import { type Admitted, admitted } from './admitted.ts'

/** A statement for the gate. */
export interface GateRequest {
  readonly number: number
  readonly statement: string
  readonly settings: EngineSettings
  readonly schema: string
}

export interface GateReply {
  readonly number: number
  readonly admitted?: readonly Admitted[]
  readonly refused?: PlainSqlError
  /** Whether the thread has to be replaced. */
  readonly isBroken: boolean
}

const port = parentPort
if (!port) throw new Error('gate-worker.ts runs as a worker thread: use GateThread.')
const loaded = loadParser()
port.on('message', async ({ number, statement, settings, schema }: GateRequest) => {
  await loaded
  const answer = ask(statement, settings, schema)
  port.postMessage({ number, isBroken: isParserBroken(), ...answer } satisfies GateReply)
})

function ask(statement: string, settings: EngineSettings, schema: string): Partial<GateReply> {
  try {
    return { admitted: admitted(statement, settings, schema) }
  } catch (error) {
    return { refused: plainError(error) }
  }
}
