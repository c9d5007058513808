/** Which requests a fault is for, and which of them it strikes. */
export interface Strikes {
  /**
   * Statements it is for: the name of a view, a regular expression (as a text: `/join/i`) or `*` for every one.
   * Without it: every request, before its token is looked at.
   */
  readonly on?: string | RegExp
  /** Path it is for, its end may be `*`. Default: that of the statements. */
  readonly route?: string
  /** Probability of a strike, above 0 and at most 1. Default: 1. */
  readonly rate?: number
  /** Strikes every n-th request. */
  readonly every?: number
  /** How many requests in a row a strike takes. Default: 1. */
  readonly burst?: number
  /** How many requests it strikes at most. Default: any number. */
  readonly times?: number
  /** How many requests it lets pass before its first strike. Default: 0. */
  readonly skip?: number
}

/** Answers late. All latencies that strike a request add up. */
export interface Latency extends Strikes {
  readonly type: 'latency'
  /** Fixed, or the least and the most of a range in which all are equally likely. */
  readonly delayMs?: number | readonly [least: number, most: number]
  /** Instead: a log-normal distribution by its median and the delay that one request in a hundred exceeds. */
  readonly medianMs?: number
  readonly p99Ms?: number
}

/** Answers an error status, 400 to 599, with the envelope. */
export interface Status extends Strikes {
  readonly type: 'status'
  readonly status: number
  /** Sends Retry-After, in whole seconds. */
  readonly retryAfterMs?: number
}

/** Resets the connection: before there is an answer, or after so many bytes of its body. */
export interface Reset extends Strikes {
  readonly type: 'reset'
  readonly afterBytes?: number
}

/** Ends the body after so many bytes; of a shorter one the last byte is missing. */
export interface Truncate extends Strikes {
  readonly type: 'truncate'
  readonly bytes: number
  /**
   * `content-length` declares more than is sent, `chunked` leaves out the last chunk, and both close the connection;
   * `complete` is whole for HTTP, and no JSON. Default: `content-length`.
   */
  readonly framing?: 'content-length' | 'chunked' | 'complete'
}

/** Sends the body slowly. */
export interface Drip extends Strikes {
  readonly type: 'drip'
  readonly bytesPerSecond: number
}

/** Tokens stop passing: each after so many requests or so long after its first, or all at a time. */
export interface Expire {
  readonly type: 'expire'
  readonly after?: number
  readonly lifetimeMs?: number
  /** ISO 8601. */
  readonly at?: string
}

/** Lets so many requests pass in each window; the others are answered with 429 and Retry-After. */
export interface Limit {
  readonly type: 'limit'
  readonly requests: number
  readonly windowMs: number
  readonly on?: string | RegExp
  readonly route?: string
}

/** Answers 504: at once, or after as long as a statement may run. */
export interface Timeout extends Omit<Strikes, 'route'> {
  readonly type: 'timeout'
  readonly after?: 'limit'
}

/** One way in which a service fails. */
export type Fault = Latency | Status | Reset | Truncate | Drip | Expire | Limit | Timeout

/** A fault that was asked for is none; the message says what is wrong and what is possible. */
export class FaultError extends Error {
  override readonly name = 'FaultError'
}
