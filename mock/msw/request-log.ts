import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import { checkTimer } from '../../base/time/duration.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { OtherWords } from '../app/faults/words.ts'
import { Arrivals } from '../app/log/arrivals.ts'
import { selecting } from '../app/log/request-filter.ts'
import { causeOf } from '../app/log/cause.ts'
import { type WaitOptions, waitTypes } from '../control/session.ts'
import { sessionHeader } from '../app/sessions/sessions.ts'
import { hrefOf, sessionInUrl } from './endpoint.ts'
import { MockError } from './options.ts'
import { statementMatcher } from './statement-matcher.ts'

/** A request that reached the mock, or that `on.*` answered in its place. */
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
  /**
   * Why it failed: the database's own text behind `Error executing statement`, in further lines the place of the error in the
   * statement, and a hint.
   */
  readonly cause?: string
}

/** Selects requests. */
export interface RecordedFilter<Text extends string = string> {
  /** Whole words of the statement, such as a view; or a RegExp. */
  readonly statement?: ViewName | OtherWords<Text> | RegExp
  readonly status?: number
}

const filterTypes: OptionTypes<RecordedFilter> = { statement: 'string | RegExp', status: 'number' }

/** The log keeps this many requests, the last ones, and at most this many bytes of their bodies. */
const [kept, keptBytes] = [1000, 32 * 1024 * 1024]

/** What is kept of a request; the rest is read from it when somebody asks. */
export interface Entry {
  readonly request: Request
  readonly body: Uint8Array
  /** The request as the server got it, by which it tells the cause. */
  sent?: object
  status?: number
  cause?: string
}

/** Drops the oldest requests beyond the limit of bytes; the last one stays. */
function dropBytes(entries: Entry[]): void {
  let bytes = 0
  const last = entries.findLastIndex(({ body }) => (bytes += body.length) > keptBytes)
  entries.splice(0, Math.min(last + 1, entries.length - 1))
}

/** Of every mock there is: `on.*` answers before any of them. */
const logs = new Set<WeakRef<RequestLog>>()

/** Adds a request that `on.*` answers to the log of every mock of its URL. @returns to be told the outcome */
export async function addAnswered(
  request: Request,
): Promise<(outcome: Pick<Entry, 'status' | 'cause'>) => void> {
  const arriving = [...logs].flatMap((ref) => {
    const log = ref.deref()
    if (!log) logs.delete(ref)
    return log?.isFor(request) ? [{ log, add: log.arrive(request) }] : []
  })
  const body = new Uint8Array(await request.clone().arrayBuffer())
  const entries = arriving.map(({ log, add }) => ({ log, entry: add(body) }))
  return (outcome) => entries.forEach(({ log, entry }) => log.finish(entry, outcome))
}

/** Remembers requests in the order of their arrival. */
export class RequestLog {
  readonly #base: URL | undefined
  readonly #session: string | undefined
  #entries: Entry[] = []
  readonly #arrivals = new Arrivals()

  /**
   * @param base where the mock answers; default: anywhere
   * @param session the id of a session, whose log it is
   */
  constructor(base?: URL, session?: string) {
    this.#base = base
    this.#session = session
    logs.add(new WeakRef(this))
  }

  /** Whether the mock answers this request, or the session that it names. */
  isFor({ url, headers }: Request): boolean {
    if (this.#base && !url.startsWith(`${hrefOf(this.#base)}/`)) return false
    const session = this.#session
    return session === undefined || session === (headers.get(sessionHeader) ?? sessionInUrl(url, this.#base))
  }

  /**
   * A request, whose body is not read yet. It is not kept if the log is cleared meanwhile.
   *
   * @returns adds the body, and returns the entry, to which the outcome is added
   */
  arrive(request: Request): (body: Uint8Array) => Entry {
    const entries = this.#entries
    return (body) => {
      const entry: Entry = { request, body }
      entries.push(entry)
      if (entries.length >= 2 * kept) entries.splice(0, kept)
      // small bodies add up to less
      if (body.length > keptBytes / kept) dropBytes(entries)
      this.#arrivals.tell()
      return entry
    }
  }

  /** @throws MockError if fewer arrive in time, or for an option that does not exist; RangeError for a time out of bounds */
  async wait(filter: RecordedFilter = {}, options: WaitOptions = {}): Promise<RecordedRequest[]> {
    checkOptions(filter, filterTypes, MockError)
    checkOptions(options, waitTypes, MockError)
    const { count = 1, withinMs = 2000 } = options
    if (!(Number.isSafeInteger(count) && count >= 1))
      throw new MockError(`count is ${count}. Give a whole number of at least 1.`)
    checkTimer('withinMs', withinMs)
    const { statement, status } = filter
    const matches = selecting(statement === undefined ? undefined : statementMatcher(statement), status)
    const found = await this.#arrivals.until(() => this.read().filter(matches), { count, withinMs })
    if (found.length >= count) return found
    throw new MockError(`${found.length} of ${count} requests came within ${withinMs} ms.`)
  }

  /** Adds the outcome of a request. */
  finish(entry: Entry, outcome: Pick<Entry, 'status' | 'cause'>): void {
    Object.assign(entry, outcome)
    this.#arrivals.tell()
  }

  clear(): void {
    this.#entries = []
  }

  read(): RecordedRequest[] {
    return this.#entries
      .slice(-kept)
      .map(({ request, body, sent, status, cause = sent && causeOf(sent) }) => {
        const text = new TextDecoder().decode(body)
        const statement = statementIn(text)
        return {
          method: request.method,
          url: request.url,
          headers: Object.fromEntries(request.headers),
          body: text,
          ...(statement !== undefined && { statement }),
          ...(status !== undefined && { status }),
          ...(cause !== undefined && { cause }),
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
