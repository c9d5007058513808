import type { Ending, Exchange } from './exchange.ts'

/** Traffic of a fake client: each exchange begins a second after the last one ended. */
export class Traffic {
  readonly exchanges: Exchange[] = []
  #now = 1_000_000

  /** Waits before the next request. */
  after(ms: number): this {
    this.#now += ms - 1000
    return this
  }

  /** A request with any body and headers; the answer is a success without rows. */
  request(body: string, headers: Record<string, string> = {}): this {
    return this.#add(body, 200, success([]), 'complete', {}, headers)
  }

  /** A statement and the times of its rows; `cut` ends the body in the middle. */
  read(statement: string, times: string[], ending: Ending = 'complete'): this {
    const text = success(times.map((last_updated_at, id) => ({ id: `r${id}`, last_updated_at })))
    return this.#add(sql(statement), 200, ending === 'complete' ? text : text.slice(0, -60), ending)
  }

  refused(statement: string, status: number, headers: Record<string, string> = {}): this {
    return this.#add(sql(statement), status, '', 'complete', headers)
  }

  #add(
    text: string,
    status: number,
    answer: string,
    ending: Ending,
    answerHeaders: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): this {
    const startedMs = (this.#now += 1000)
    const endedMs = (this.#now += 10)
    this.exchanges.push({
      startedMs,
      endedMs,
      method: 'POST',
      path: '/external/v1/statements/',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
      body: { text, isWhole: true },
      answer: { status, headers: answerHeaders, body: { text: answer, isWhole: true } },
      ending,
    })
    return this
  }
}

export const sql = (statement: string): string => JSON.stringify({ statement })

const success = (data: unknown[]): string =>
  JSON.stringify({ data, status: { state: 'success', message: 'ok' } })

/** A time some seconds after eight. */
export const at = (seconds: number): string => new Date(Date.UTC(2025, 11, 1, 8, 0, seconds)).toISOString()

export const after = (time: string, comparison = '>', rest = ''): string =>
  `SELECT * FROM v_timeseries WHERE last_updated_at ${comparison} '${time}'${rest}`
