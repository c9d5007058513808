import { overrun, repeatLong } from '../../samples/time-limit.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe, undetectable } from '../probe.ts'

interface End {
  /** Undefined where the connection ended without a response. */
  status: number | undefined
  /** How long after the limit the request ended, in milliseconds; negative before it. */
  late: number
}

/** An end this close to a time counts as at that time, in milliseconds. */
const AT = 500

const atLimit = ({ late }: End): boolean => Math.abs(late) <= AT

export const probe = defineProbe('timeout.mode', {
  after: 'time.limit',
  read: async (t: Target): Promise<End | undefined> => {
    const { long } = await overrun(t)
    const { timeLimitMs } = t.options
    // a late end is asked for again: the other checks of the run, which are over now, may have delayed it
    const isLate = long.response?.status === 504 && long.durationMs > timeLimitMs + AT
    const again = isLate ? await repeatLong(t, long) : undefined
    const { response, durationMs } = again && again.durationMs < long.durationMs ? again : long
    if (response && response.status !== 504) return undefined
    return { status: response?.status, late: durationMs - timeLimitMs }
  },
  seen: ({ status, late }) => {
    const when = `${Math.abs(late / 1000).toFixed(1)} s ${late < 0 ? 'before' : 'after'} the limit`
    return status === undefined ? `no answer: the request ended ${when}` : `504, ${when}`
  },
  variants: {
    hard: (end) => end.status === 504 && atLimit(end),
    'second-early': ({ status, late }) => status === 504 && late < -AT && late >= -1000 - AT,
    'second-late': ({ status, late }) => status === 504 && late > AT && late <= 1000 + AT,
    reset: (end) => end.status === undefined && atLimit(end),
    'runs-on': undetectable('looks like hard: what runs on after the response does not show'),
  },
})
