import { LONG, LONG_LIMIT } from '../../samples/whole.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

/** The bound that services are known to have. The statement asks for more; the rows are short. */
const BOUND = 1000
const SHORTER = `SELECT id FROM v_timeseries_data LIMIT ${BOUND}`

interface Answer {
  refused: boolean
  status: number
  rows: number
  /** A Link header leads to the next rows. */
  next: boolean
  /** The envelope says that rows were left out. */
  truncated: boolean
}

const isCut = ({ refused, rows }: Answer): boolean => !refused && rows === BOUND

export const probe = defineProbe('rows.max', {
  read: async (t: Target): Promise<Answer | undefined> => {
    const { ok, status, data, envelope, exchange, json } = await t.shared(LONG)
    // A body that is not JSON, such as one with NaN, says nothing about its rows.
    if (json === undefined && status === 200) return undefined
    const tells = ok ? data.length >= BOUND : (await t.query(SHORTER)).ok
    if (!tells) return undefined
    return {
      refused: !ok,
      status,
      rows: data.length,
      next: /rel="?next/.test(exchange.response!.headers.get('link') ?? ''),
      truncated: envelope?.body['truncated'] === true,
    }
  },
  seen: ({ refused, status, rows }) => {
    const answer = `LIMIT ${LONG_LIMIT} was answered with HTTP ${status} and ${rows} rows`
    return !refused && rows > BOUND ? `${answer}; longer answers were not asked for` : answer
  },
  variants: {
    none: ({ refused, rows }) => !refused && rows > BOUND,
    'cut-1000': (answer) => isCut(answer) && !answer.next && !answer.truncated,
    'error-1000': ({ refused, status }) => refused && status !== 413,
    '413-1000': ({ refused, status }) => refused && status === 413,
    'truncated-1000': (answer) => isCut(answer) && answer.truncated && !answer.next,
    'next-link-1000': (answer) => isCut(answer) && answer.next,
  },
})
