import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import { invalidJson, unknownColumn, unknownView, withoutStatement } from '../connection/samples/outcomes.ts'
import type { Target } from '../connection/target.ts'
import { refusalKind } from './bodies.ts'
import { granted } from './liberties.ts'
import { theOne } from './reading.ts'

const PLAIN = 'SELECT id FROM v_bioprocesses LIMIT 1'

export const divisionByZero = (t: Target): Promise<Reply> => t.shared('SELECT 1/0')

/** The status of a statement that failed; nothing where it was served. */
const failure = (reply: Reply, to: string): Seen | undefined =>
  reply.ok ? undefined : { variant: String(reply.status), seen: `HTTP ${reply.status} for ${to}` }

async function exception(t: Target): Promise<Seen | undefined> {
  return failure(await divisionByZero(t), '1/0') ?? failure(await unknownColumn(t), 'an unknown column')
}

async function invalidBody(t: Target): Promise<Seen | undefined> {
  const reply = await invalidJson(t, 'single-quotes')
  const seen = failure(reply, 'a body that is not JSON')
  // The register means the status together with the body of a framework.
  return seen && { ...seen, variant: reply.status === 422 && reply.envelope ? undefined : seen.variant }
}

/** How a request is answered that may as well be served: by `served`, or by its status. */
const answered = (reply: Reply, served: string, to: string): Seen => ({
  variant: reply.ok ? served : String(reply.status),
  seen: `${to}: ${describeReply(reply)}`,
})

async function withoutSlash(t: Target): Promise<Seen> {
  const url = t.client.endpoint.replace(/\/$/, '')
  return answered(await t.query(PLAIN, { url }), '200', 'without the slash')
}

async function contentType(t: Target): Promise<Seen> {
  const reply = await t.query(PLAIN, { headers: { 'Content-Type': 'text/plain' } })
  return answered(reply, 'ignored', 'text/plain')
}

async function noStatement(t: Target): Promise<Seen | undefined> {
  const reply = await withoutStatement(t)
  return reply.ok ? undefined : { variant: refusalKind(reply), seen: `{}: ${describeReply(reply)}` }
}

async function extraKey(t: Target): Promise<Seen> {
  return answered((await granted(t, 'extra-key')).reply, 'ignored', 'with a further key')
}

/** What of compression, CORS and caching the headers of the plainest answer speak about. */
async function headers(t: Target): Promise<Seen> {
  const { headers } = (await t.baseline()).exchange.response!
  const has = {
    gzip: headers.get('content-encoding') === 'gzip',
    cors: headers.has('access-control-allow-origin'),
    etag: headers.has('etag'),
    'no-store': /\bno-store\b/.test(headers.get('cache-control') ?? ''),
  }
  const names = Object.entries(has).flatMap(([name, there]) => (there ? [name] : []))
  return { variant: names.length === 0 ? 'none' : theOne(has), seen: names.join(', ') || 'none of them' }
}

export const statusProbes: Probe[] = [
  probe({
    silence: 'NS-16',
    observe: async (t) => {
      const { ok, status } = await t.baseline()
      return ok ? { variant: String(status), seen: `HTTP ${status}` } : undefined
    },
  }),
  probe({ silence: 'NS-24', observe: async (t) => failure(await unknownView(t), 'an unknown view') }),
  probe({ silence: 'NS-25', observe: exception }),
  probe({ silence: 'NS-26', observe: invalidBody }),
  probe({ silence: 'NS-46', observe: withoutSlash }),
  probe({ silence: 'NS-47', observe: contentType }),
  probe({ silence: 'NS-48', observe: noStatement }),
  probe({ silence: 'NS-49', observe: extraKey }),
  probe({ silence: 'NS-55', observe: headers }),
]
