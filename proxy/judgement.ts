import { createClientJudge, type ClientFinding, type Exchange } from '../client/conformance/index.ts'
import { createServiceJudge, type ServiceFinding } from '../conformance/index.ts'
import { canUnpack } from './body.ts'

/** Why exchanges were not judged. */
export const gaps = {
  'too large': 'a body has more bytes than --kept-bytes, or more than 16 MiB unpacked',
  undecodable: 'the proxy cannot decode the Content-Encoding of a body',
  cut: 'the service cut its answer or gave none',
  failure: 'a judge failed',
}
export type Gap = keyof typeof gaps

/** What the traffic showed so far. */
export interface Judgement {
  /** Exchanges that passed, and how many of them ended early, by their ending. */
  readonly exchanges: number
  readonly endings: Readonly<Record<Exchange['ending'], number>>
  /** Exchanges that were to be judged and were not; none if nothing is judged. An answer that the client leaves is none of them. */
  readonly notJudged: Readonly<Record<Gap, number>>
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
  readonly #notJudged: Record<Gap, number> = { 'too large': 0, undecodable: 0, cut: 0, failure: 0 }
  exchanges = 0

  constructor(judge: boolean, say: (sentence: string) => void) {
    this.#judge = judge
    this.#say = say
  }

  add(exchange: Exchange): void {
    const number = this.exchanges++
    const { answer, ending, method } = exchange
    this.#endings[ending]++
    if (!this.#judge) return
    try {
      this.#client.add(exchange)
      if (method !== 'POST' || ending === 'aborted') return
      const gap = ending === 'complete' ? (gapIn(exchange) ?? gapIn(answer!)) : 'cut'
      if (gap) this.#notJudged[gap]++
      else this.#service.add(asSent(exchange, answer!), number)
    } catch (error) {
      if (this.#notJudged.failure++ === 0)
        this.#say(
          `The judge failed (${String(error)}). Traffic passes; the report counts what is not judged.`,
        )
    }
  }

  judgement(notStored: number): Judgement {
    return {
      exchanges: this.exchanges,
      endings: { ...this.#endings },
      notJudged: { ...this.#notJudged },
      notStored,
      service: this.#judge ? this.#service.findings() : [],
      client: this.#judge ? this.#client.findings() : [],
    }
  }
}

/** Why a message cannot be judged; undefined if it can. */
function gapIn({ body, headers }: Pick<Exchange, 'body' | 'headers'>): Gap | undefined {
  if (body.isWhole) return undefined
  return canUnpack(headers['content-encoding']) ? 'too large' : 'undecodable'
}

/** The exchange as the suite sees its own. */
const asSent = (exchange: Exchange, { status, headers, body }: NonNullable<Exchange['answer']>) => ({
  request: {
    method: exchange.method,
    url: exchange.path,
    headers: { ...exchange.headers },
    body: exchange.body.text,
  },
  response: { ...body, status, headers: new Headers(headers), bytes: body.text.length, memory: 0 },
  durationMs: exchange.endedMs - exchange.startedMs,
})
