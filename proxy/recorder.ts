import type { IncomingMessage } from 'node:http'
import type { Ending } from '../client-conformance/index.ts'

/** The beginning of a body. */
export interface Part {
  readonly bytes: Uint8Array
  /** Bytes of the whole body, as sent. */
  readonly total: number
}

/** An exchange as it was on the wire: headers as lists of names and values in turn, bodies as sent. */
export interface RawExchange {
  readonly startedMs: number
  readonly endedMs: number
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Part
  /** Whether the client sent all of the body: a service may answer, and a client leave, before that. */
  readonly isSent: boolean
  readonly answer?: { readonly status: number; readonly headers: readonly string[]; readonly body: Part }
  readonly ending: Ending
}

/** Notes one exchange while it passes. It keeps references to the bytes and copies them at the end. */
export class Recorder {
  readonly #startedMs = Date.now()
  readonly #request: IncomingMessage
  readonly #done: (exchange: RawExchange) => void
  readonly #sent: Beginning
  readonly #received: Beginning
  #answer: IncomingMessage | undefined
  #isOver = false

  /**
   * @param most bytes to keep of each body
   * @param done called once
   */
  constructor(request: IncomingMessage, most: number, done: (exchange: RawExchange) => void) {
    this.#request = request
    this.#done = done
    this.#sent = new Beginning(most)
    this.#received = new Beginning(most)
  }

  sent(chunk: Buffer): void {
    this.#sent.add(chunk)
  }

  answered(answer: IncomingMessage): void {
    this.#answer = answer
  }

  received(chunk: Buffer): void {
    this.#received.add(chunk)
  }

  /** The first call counts. */
  end(ending: Ending): void {
    if (this.#isOver) return
    this.#isOver = true
    const answer = this.#answer
    this.#done({
      startedMs: this.#startedMs,
      endedMs: Date.now(),
      method: this.#request.method!,
      url: this.#request.url!,
      headers: this.#request.rawHeaders,
      body: this.#sent.part(),
      isSent: this.#request.complete,
      ...(answer && {
        answer: { status: answer.statusCode!, headers: answer.rawHeaders, body: this.#received.part() },
      }),
      ending,
    })
  }
}

/** The first chunks of a body. */
class Beginning {
  readonly #most: number
  #chunks: Buffer[] = []
  #kept = 0
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length
    if (this.#kept >= this.#most) return
    this.#chunks.push(chunk)
    this.#kept += chunk.length
  }

  part(): Part {
    const bytes = new Uint8Array(Math.min(this.#kept, this.#most))
    let at = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk.subarray(0, bytes.length - at), at)
      at += Math.min(chunk.length, bytes.length - at)
    }
    this.#chunks = []
    return { bytes, total: this.#total }
  }
}
