import type { Exchange } from '../../connection/http/exchange.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe, undetectable } from '../probe.ts'

interface Limiting {
  statements: number
  /** Responses that a limit may explain: with its headers, 429 or 503. */
  limited: readonly Exchange[]
  /** Whether a 403 was served at another time. */
  forbiddenForATime: boolean
}

const met = ({ limited }: Limiting): readonly Exchange[] =>
  limited.filter(({ response }) => response!.status === 429)

const names = ({ limited }: Limiting, pattern: RegExp): boolean =>
  limited.some(({ response }) => [...response!.headers.keys()].some((name) => pattern.test(name)))

const STANDARD = /^ratelimit/
const LEGACY = /^x-ratelimit/

const isMetWith =
  (header: RegExp, other: RegExp) =>
  (limiting: Limiting): boolean =>
    met(limiting).length > 0 && names(limiting, header) && !names(limiting, other)

/** Nothing is provoked: only what the run met anyway and what headers announce. */
export const probe = defineProbe('rate.mode', {
  after: 'auth.valid-token',
  read: async ({ client: { limited, refusals, statements } }: Target): Promise<Limiting> => ({
    statements,
    limited,
    forbiddenForATime: refusals.servedAgain.some(({ response }) => response!.status === 403),
  }),
  seen: (limiting) => {
    const { statements, limited, forbiddenForATime } = limiting
    if (met(limiting).length > 0) return `429 for ${met(limiting).length} of ${statements} requests`
    if (names(limiting, STANDARD) || names(limiting, LEGACY))
      return `a limit is announced in headers; it was not met in ${statements} requests`
    if (limited.length > 0)
      return `503 for ${limited.length} of ${statements} requests, for a limit or for load`
    return forbiddenForATime
      ? '403 for requests that were served at another time'
      : `none was met in ${statements} requests`
  },
  variants: {
    none: ({ limited, forbiddenForATime }) => limited.length === 0 && !forbiddenForATime,
    '429-retry-after': (limiting) =>
      met(limiting).some(({ response }) => response!.headers.has('retry-after')) &&
      names(limiting, STANDARD) === names(limiting, LEGACY),
    '429-ratelimit': isMetWith(STANDARD, LEGACY),
    '429-x-ratelimit': isMetWith(LEGACY, STANDARD),
    '503': undetectable('looks like load'),
    '403': ({ limited, forbiddenForATime }) => limited.length === 0 && forbiddenForATime,
  },
})
