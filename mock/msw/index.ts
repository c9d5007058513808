import { http, type HttpHandler } from 'msw'
import { contract } from '../../schemas/generated/contract.ts'
import { createBehaviour } from '../app/behaviour.ts'
import type { Reference } from '../node/server.ts'

export interface MockOptions {
  /** Where the application expects the service, such as `https://api.example.com`. Default: anywhere. */
  readonly baseUrl?: string
  /** The bearer token that passes. Default: any that is not empty. */
  readonly token?: string
  /** Another seed is another plant. Default: 1. */
  readonly seed?: number
  /** How much data there is. Default: 0.01. */
  readonly scale?: number
  /** Slug per knob of the register of silences. Default: the reference's own choice. */
  readonly variants?: Readonly<Record<string, string>>
}

/** The reference server behind request handlers. */
export interface Mock {
  /** For `setupServer(...)`, `setupWorker(...)` or `server.use(...)` of msw. */
  readonly handlers: readonly HttpHandler[]
  /** Answers without msw, for whatever takes a `fetch` of one's own. */
  readonly fetch: typeof globalThis.fetch
  /** Starts the engine now instead of at the first request; resolves when it is there. */
  ready(): Promise<void>
  /** Takes other variants on, on top of those the mock was created with, until {@link Mock.reset}. */
  use(variants: Readonly<Record<string, string>>): void
  /** Undoes every {@link Mock.use}; for `afterEach`. The data need no reset: no statement changes them. */
  reset(): void
  /** Ends the engine. An idle engine keeps no process alive, so a test that ends without this ends all the same. */
  close(): Promise<void>
}

/** The mock can not be created, or not be used any more; the message names the remedy. */
export class MockError extends Error {
  override readonly name = 'MockError'
}

const { path } = contract.endpoint
/** msw matches a path without its trailing slash in both forms; which of them is served, the application decides. */
const matched = path.slice(0, -1)

/**
 * A reference server for msw: real SQL over simulated data. Nothing is started before the first request.
 *
 * @example
 * const mock = createMock({ baseUrl: 'https://api.example.com', token: 'secret' })
 * const server = setupServer(...mock.handlers)
 *
 * @throws MockError for a base URL that is none
 * @throws UnknownVariant for a variant the server does not have
 */
export function createMock(options: MockOptions = {}): Mock {
  const { baseUrl, token, seed = 1, scale = 0.01, variants = {} } = options
  const base = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl)
  createBehaviour(variants)
  let used: Readonly<Record<string, string>> = {}
  let isClosed = false
  let booting: Promise<Reference> | undefined

  const boot = async (): Promise<Reference> => {
    const { createReference } = await import('../node/server.ts')
    const tokens = token === undefined ? 'any' : [token]
    return createReference({ seed, scale, variants, tokens, basePath: base?.pathname ?? '' })
  }
  const reference = (): Promise<Reference> => {
    if (isClosed) throw new MockError('The mock was closed. Create another one with createMock().')
    booting ??= boot().catch((error) => {
      booting = undefined
      throw error
    })
    return booting
  }
  const answer = async (request: Request): Promise<Response> =>
    (await reference()).fetch(forReference(request, base === undefined, used))

  return {
    handlers: [
      http.all(`${base?.href.replace(/\/$/, '') ?? '*'}${matched}`, ({ request }) =>
        answer(request).catch((error) => {
          // the client knows that it left; msw would print the error as an exception of the handler
          if (request.signal.aborted) return Response.error()
          throw error
        }),
      ),
    ],
    fetch: async (input, init) => answer(new Request(input, init)),
    ready: async () => void (await reference()),
    use: (variants) => {
      createBehaviour(variants)
      used = { ...used, ...variants }
    },
    reset: () => {
      used = {}
    },
    close: async () => {
      isClosed = true
      await booting?.then(
        (started) => started.close(),
        () => {}, // told to the request that started it
      )
    },
  }
}

/** Handlers for any origin and any token, over the smallest plant. */
export const handlers: readonly HttpHandler[] = createMock().handlers

/** The request as the reference gets it: at its root where any base URL is matched, with the variants in use. */
function forReference(
  request: Request,
  isAnywhere: boolean,
  variants: Readonly<Record<string, string>>,
): Request {
  const { pathname } = new URL(request.url)
  const root = pathname.slice(Math.max(pathname.lastIndexOf(matched), 0))
  const own = new Request(isAnywhere ? `http://localhost${root}` : request.url, request)
  const asked = Object.entries(variants).map((entry) => entry.join('='))
  // what the request itself asks for comes last and wins
  const header = [...asked, own.headers.get('x-mock-variant') ?? []].flat().join(', ')
  if (header !== '') own.headers.set('x-mock-variant', header)
  return own
}

function parseBaseUrl(text: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined
  // no user, query or fragment, and nothing in the path that msw would read as a pattern
  const isPlain =
    base && `${base.origin}${base.pathname}` === base.href && /^(\/[\w.~-]+)*\/?$/.test(base.pathname)
  if (isPlain && /^https?:$/.test(base.protocol)) return base
  throw new MockError(
    `"${text}" is no base URL. Write it as https://api.example.com or https://api.example.com/plant-1, without query.`,
  )
}
