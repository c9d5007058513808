import { createClientJudge, type ClientFinding, type Exchange } from '../client-conformance/index.ts'
import { createServiceJudge, type ServiceFinding } from '../conformance/index.ts'

/** What the traffic showed so far. */
export interface Judgement {
  /** Exchanges that passed, and how many of them ended early, by their ending. */
  readonly exchanges: number
  readonly endings: Readonly<Record<Exchange['ending'], number>>
  /** Answers whose bodies were not judged, because only their beginning was kept. */
  readonly beginningsOnly: number
  /** Exchanges that were not judged, because a judge failed. */
  readonly notJudged: number
  /** Exchanges that the store lacks, because it could not be written. */
  readonly notStored: number
  /** Empty if nothing is judged. */
  readonly service: readonly ServiceFinding[]
  readonly client: readonly ClientFinding[]
}

/** Counts the exchanges, and judges both sides of them if asked to. */
export class Judges {
  readonly #judge: boolean
  readonly #say: (sentence: string) => void
  readonly #client = createClientJudge()
  readonly #service = createServiceJudge()
  readonly #endings: Record<Exchange['ending'], number> = { complete: 0, truncated: 0, reset: 0, aborted: 0 }
  #beginningsOnly = 0
  #notJudged = 0
  exchanges = 0

  constructor(judge: boolean, say: (sentence: string) => void) {
    this.#judge = judge
    this.#say = say
  }

  add(exchange: Exchange): void {
    const number = this.exchanges++
    const { answer, body, ending, method } = exchange
    const isWhole = answer?.body.isWhole && body.isWhole
    this.#endings[ending]++
    if (ending === 'complete' && !isWhole) this.#beginningsOnly++
    if (!this.#judge) return
    try {
      this.#client.add(exchange)
      if (ending === 'complete' && method === 'POST' && isWhole)
        this.#service.add(asSent(exchange, answer), number)
    } catch (error) {
      if (this.#notJudged++ === 0)
        this.#say(
          `The judge failed (${String(error)}). Traffic passes; the report counts what is not judged.`,
        )
    }
  }

  judgement(notStored: number): Judgement {
    return {
      exchanges: this.exchanges,
      endings: { ...this.#endings },
      beginningsOnly: this.#beginningsOnly,
      notJudged: this.#notJudged,
      notStored,
      service: this.#judge ? this.#service.findings() : [],
      client: this.#judge ? this.#client.findings() : [],
    }
  }
}

/** The exchange as the suite sees its own. */
const asSent = (
  exchange: Exchange,
  { status, headers, body: { text } }: NonNullable<Exchange['answer']>,
) => ({
  request: {
    method: exchange.method,
    url: exchange.path,
    headers: { ...exchange.headers },
    body: exchange.body.text,
  },
  response: { status, headers: new Headers(headers), text, bytes: text.length, memory: 0 },
  durationMs: exchange.endedMs - exchange.startedMs,
})
