/** A request that reached the mock. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  /** By their names in lower case, the token among them: it is the test's own. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly body: string
  /** The SQL, where the body holds one. */
  readonly statement?: string
  /** HTTP status of the answer; absent while there is none, and when the client left before. */
  readonly status?: number
}

/** So many requests are kept, the last ones. */
const kept = 1000

/** What is kept of a request; the rest is read from it when somebody asks. */
interface Entry {
  readonly request: Request
  readonly body: Uint8Array
  status?: number
}

/** Remembers requests in the order of their arrival. */
export class RequestLog {
  #entries: Entry[] = []

  /** @returns to be told the status of the answer */
  add(request: Request, body: Uint8Array): (status: number) => void {
    const entry: Entry = { request, body }
    this.#entries.push(entry)
    if (this.#entries.length >= 2 * kept) this.#entries = this.#entries.slice(-kept)
    return (status) => (entry.status = status)
  }

  clear(): void {
    this.#entries = []
  }

  read(): RecordedRequest[] {
    return this.#entries.slice(-kept).map(({ request, body, status }) => {
      const text = new TextDecoder().decode(body)
      const statement = statementIn(text)
      return {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        body: text,
        ...(statement !== undefined && { statement }),
        ...(status !== undefined && { status }),
      }
    })
  }
}

/** The statement in the text of a body, undefined where there is none. */
export function statementIn(body: string): string | undefined {
  try {
    const { statement } = JSON.parse(body) as { statement?: unknown }
    return typeof statement === 'string' ? statement : undefined
  } catch {
    return undefined
  }
}
