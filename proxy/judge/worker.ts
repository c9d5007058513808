import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { RawExchange } from '../recorder.ts'
import { Judges, type Judgement } from './judgement.ts'
import { readExchange } from './read-exchange.ts'
import { StoredLines } from './stored-line.ts'

/** What the thread starts with. */
export interface JudgeTask {
  readonly judge: boolean
  readonly basePath: string
  /** The folder for exchanges.ndjson. */
  readonly store?: string
  readonly storeBodies: boolean
}

export type JudgeRequest =
  | { readonly exchange: RawExchange }
  | { readonly report: true; readonly notJudged: number }
  | { readonly end: true }

export type JudgeAnswer = { readonly taken: number } | { readonly judgement: Judgement }

/** The name of the file in the folder of `store`. */
const FILE = 'exchanges.ndjson'

const { judge, basePath, store, storeBodies } = workerData as JudgeTask
const judges = new Judges(basePath)
const lines = new StoredLines(storeBodies)
let file: number | undefined
if (store !== undefined) {
  mkdirSync(store, { recursive: true })
  file = openSync(join(store, FILE), 'a', 0o600)
}
let number = 0

parentPort!.on('message', (request: JudgeRequest) => {
  if ('exchange' in request) {
    const exchange = readExchange(request.exchange)
    if (file !== undefined) writeSync(file, lines.line(exchange, number))
    number++
    if (judge) judges.add(exchange)
    const { body, answer } = request.exchange
    post({ taken: body.bytes.length + (answer?.body.bytes.length ?? 0) })
  } else if ('report' in request) post({ judgement: judges.judgement(request.notJudged) })
  else {
    if (file !== undefined) closeSync(file)
    parentPort!.close()
  }
})

const post = (answer: JudgeAnswer): void => parentPort!.postMessage(answer)
