import { readReply, type Reply } from '../../connection/reply.ts'
import type { Target } from '../../connection/target.ts'
import { refuse, respond, type Handmade } from '../handmade.test-helper.ts'
import { on, type Examples } from './services.test-helper.ts'

async function read(response: Response): Promise<Reply> {
  const text = await response.text()
  return readReply({
    request: { method: 'POST', url: '', headers: {}, body: '' },
    response: { status: response.status, headers: response.headers, text, bytes: text.length },
    durationMs: 0,
  })
}

/** The answers that the checks of the token got before, without waiting for them. */
const withoutToken = (name: string, response: Response): Handmade => ({
  before: (t) => t.once('replies without a token', async () => [[name, await read(response)]]),
})

/** How the statement of the time checks ended, without waiting for it. */
const ended = (durationMs: number, response?: Response): Handmade => ({
  before: async (t) => {
    const exchange = response ? (await read(response)).exchange : { request: {}, failure: 'closed' }
    await t.once('overrun', async () => ({ long: { ...exchange, durationMs } }))
  },
})

const body504 = (body: unknown, type = 'application/json'): Handmade =>
  ended(30_000, respond(504, body, { 'content-type': type }))

const asking = (t: Target): Promise<unknown> => t.query('SELECT id FROM v_formulas LIMIT 1')

/** One statement is refused for the sake of the rate. */
const limited = (status: number, headers: Record<string, string> = {}): Handmade => {
  let asked = 0
  return {
    answer: () => (asked++ === 0 ? respond(status, {}, headers) : undefined),
    before: async (t) => [await asking(t), await asking(t)],
  }
}

const hidden = (answer: () => Response): Handmade => on(/SELECT \* FROM v_experiments/, answer)

/** What shows in the course of a run. */
export const course: Examples = {
  'NS-21': {
    none: {},
    '401-mid-run': { ...limited(401), before: asking },
    '403': hidden(() => refuse(403)),
    'permission-denied': hidden(() => refuse(200, 'permission denied for view v_experiments')),
    'view-hidden': hidden(() => refuse(200, 'relation "v_experiments" does not exist')),
  },
  'NS-31': {
    '401': withoutToken('no Authorization header', refuse(401)),
    '403': withoutToken('no Authorization header', refuse(403)),
    '400': withoutToken('no Authorization header', refuse(400)),
    '302-login': withoutToken('no Authorization header', respond(302, '', { location: '/login' })),
    '200-envelope': withoutToken('no Authorization header', refuse(200)),
  },
  'NS-32': {
    '401': withoutToken('a wrong token', refuse(401)),
    '403': withoutToken('a wrong token', refuse(403)),
    '200-envelope': withoutToken('a wrong token', refuse(200)),
  },
  'NS-34': {
    detail: withoutToken('a wrong token', respond(401, { detail: 'no' })),
    message: withoutToken('a wrong token', respond(401, { message: 'no' })),
    'error-object': withoutToken('a wrong token', respond(401, { error: { code: 1 } })),
    'problem-json': withoutToken(
      'a wrong token',
      respond(401, { title: 'no' }, { 'content-type': 'application/problem+json' }),
    ),
    html: withoutToken('a wrong token', respond(401, '<html></html>', { 'content-type': 'text/html' })),
    empty: withoutToken('a wrong token', respond(401, '')),
    envelope: withoutToken('a wrong token', refuse(401)),
  },
  'NS-35': {
    none: { before: asking },
    '429-retry-after': limited(429, { 'retry-after': '0' }),
    '429-ratelimit': limited(429, { ratelimit: '"a";r=0', 'retry-after': '0' }),
    '429-x-ratelimit': limited(429, { 'x-ratelimit-limit': '1' }),
    '403': limited(403, { 'retry-after': '0' }),
  },
  'NS-39': {
    html: body504('<html></html>', 'text/html'),
    message: body504({ message: 'Endpoint request timed out' }),
    envelope: ended(30_000, refuse(504)),
    'problem-json': body504({ title: 'timeout' }, 'application/problem+json'),
    empty: body504(''),
  },
  'NS-40': {
    hard: ended(30_100, refuse(504)),
    'second-early': ended(29_000, refuse(504)),
    'second-late': ended(31_000, refuse(504)),
    reset: ended(30_050),
  },
}
