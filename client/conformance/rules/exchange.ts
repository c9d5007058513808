/** How the delivery of an answer ended. */
export type Ending =
  /** The whole answer arrived. */
  | 'complete'
  /** The connection ended in the middle of the body. */
  | 'truncated'
  /** The connection ended before an answer. */
  | 'reset'
  /** The client left before the end of the answer. */
  | 'aborted'

/** A body as text. A recorder may keep only its beginning. */
export interface RecordedBody {
  readonly text: string
  /** Why the bytes are not the text of a JSON document, such as "bytes that are not UTF-8"; undefined if they are. */
  readonly encodingProblem?: string
  /** Whether `text` is all of what was sent. A rule that needs the rest does not judge the exchange. */
  readonly isWhole: boolean
}

/** One request of a client and its answer, as seen on the wire. */
export interface Exchange {
  /** When the request arrived, in milliseconds since 1970. */
  readonly startedMs: number
  /** When the last byte was sent or the connection ended, in milliseconds since 1970. */
  readonly endedMs: number
  readonly method: string
  /** The path of the request without its query. */
  readonly path: string
  /** The headers of the request by their names in lower case. A recorder may shorten the token: `Bearer [token]`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RecordedBody
  /** Absent if the connection ended before an answer. */
  readonly answer?: RecordedAnswer
  readonly ending: Ending
}

export interface RecordedAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. */
  readonly body: RecordedBody
}
