import { Hono } from 'hono'
import { answerWhole, errorEnvelope, toResponse } from '../answer/answer.ts'
import { type AdminAccess, adminGuard } from './guard.ts'
import type { Judge } from './judge.ts'

/** The files of the page, by their path below `/`. */
export type PageFiles = (name: string) => Promise<Uint8Array | undefined>

/** What the page has to know of its server, as `/_mock/console` tells it. */
export interface PageFacts {
  /** The path of the statement endpoint. */
  readonly path: string
  /** A valid token, if the server made it itself. The page asks for any other one. */
  readonly token?: string
  /** Whether `/_mock/judge` runs the suite. */
  readonly judges: boolean
  /** Whether it judges other servers, too. */
  readonly judgesOthers?: boolean
  /** The simulated plant; none for rows of one's own. */
  readonly plant?: ServedPlant
}

/** The simulated plant of a server. */
export interface ServedPlant {
  readonly seed: number
  readonly scale: number
  /** ISO 8601. */
  readonly asOf: string
  /** The chosen rows of it that are served. Default: all. */
  readonly scenario?: { readonly name: string; readonly text: string }
  /** Plant seconds per second of a live plant. */
  readonly speed?: number
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Scripts, styles and requests only from and to this server, and no other page may frame this one. The page needs neither
 * scripts nor style elements within its markup.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const

/** A report is text of the judged service: its frame has neither scripts nor an origin, whoever opens it. */
const reportHeaders = {
  ...headers,
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
} as const

/**
 * The page at `/` and its files below `/console/`. They are guarded like `/_mock/*`, but need no admin token: a browser
 * cannot send one with an address, and the files are the same for everyone. A report has a name that only `/_mock/judge` tells.
 */
export function pageRoutes(files: PageFiles, { hosts }: AdminAccess, judge?: Judge): Hono {
  const guard = adminGuard(hosts ? { hosts } : {})
  const serve = async (name: string): Promise<Response | undefined> => {
    const bytes = await files(name)
    if (!bytes) return undefined
    const isEntry = name === 'index.html'
    return toResponse(
      answerWhole(200, bytes, {
        ...headers,
        'content-type': types[name.split('.').at(-1)!] ?? 'application/octet-stream',
        // the names of all other files change with their content
        'cache-control': isEntry ? 'no-cache' : 'public, max-age=31536000, immutable',
      }),
    )
  }
  return new Hono()
    .get('/', guard, async () => (await serve('index.html')) ?? notBuilt())
    .get('/console/reports/:id', guard, (c) => {
      const report = judge?.report()
      return report?.id === c.req.param('id')
        ? toResponse(answerWhole(200, report.html, reportHeaders))
        : c.notFound()
    })
    .get('/console/:name', guard, async (c) => (await serve(c.req.param('name'))) ?? c.notFound())
}

const notBuilt = () =>
  toResponse(errorEnvelope(404, 'The page is not built. Run `npm run build` in the clone, and reload.'))
