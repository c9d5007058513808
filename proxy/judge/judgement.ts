import { createClientJudge, type ClientFinding, type Exchange } from '../../client-conformance/index.ts'
import { createServiceJudge, type ServiceFinding } from '../../conformance/index.ts'

/** What the traffic showed so far. */
export interface Judgement {
  /** Exchanges that passed, and how many of them ended early, by their ending. */
  readonly exchanges: number
  readonly endings: Readonly<Record<Exchange['ending'], number>>
  /** Answers whose bodies were not judged, because only their beginning was kept. */
  readonly beginningsOnly: number
  /** Exchanges that were not judged at all, because the judge could not keep up. */
  readonly notJudged: number
  readonly service: readonly ServiceFinding[]
  readonly client: readonly ClientFinding[]
}

/** Judges both sides of traffic, exchange by exchange. */
export class Judges {
  readonly #client
  readonly #service = createServiceJudge()
  readonly #endings: Record<Exchange['ending'], number> = { complete: 0, truncated: 0, reset: 0, aborted: 0 }
  #exchanges = 0
  #beginningsOnly = 0

  /** @param basePath of the endpoint, as the client sees it */
  constructor(basePath: string) {
    this.#client = createClientJudge({ basePath })
  }

  add(exchange: Exchange): void {
    const number = this.#exchanges++
    this.#endings[exchange.ending]++
    this.#client.add(exchange)
    const { answer, body } = exchange
    if (answer && exchange.ending === 'complete' && !(answer.body.isWhole && body.isWhole))
      this.#beginningsOnly++
    if (exchange.ending !== 'complete' || exchange.method !== 'POST') return
    if (!answer?.body.isWhole || !body.isWhole) return
    const { text } = answer.body
    this.#service.add(
      {
        request: {
          method: exchange.method,
          url: exchange.path,
          headers: { ...exchange.headers },
          body: body.text,
        },
        response: {
          status: answer.status,
          headers: new Headers(answer.headers),
          text,
          bytes: text.length,
          memory: 0,
        },
        durationMs: exchange.endedMs - exchange.startedMs,
      },
      number,
    )
  }

  judgement(notJudged: number): Judgement {
    return {
      exchanges: this.#exchanges,
      endings: { ...this.#endings },
      beginningsOnly: this.#beginningsOnly,
      notJudged,
      service: this.#service.findings(),
      client: this.#client.findings(),
    }
  }
}
