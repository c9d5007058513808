import { overrun } from '../connection/samples/time-limit.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { readReply } from '../connection/reply.ts'
import type { Target } from '../connection/target.ts'
import { bodyKind } from './bodies.ts'

async function timeoutBody(t: Target): Promise<Seen | undefined> {
  const { long } = await overrun(t)
  if (long.response?.status !== 504) return undefined
  const kind = bodyKind(readReply(long))
  return { variant: kind, seen: kind ?? 'another kind of body' }
}

/** How far from the limit an answer still counts as at the limit, in milliseconds. */
const AT = 500

/** That a statement runs on behind a 504 does not show from outside. */
async function timeoutMode(t: Target): Promise<Seen | undefined> {
  const { long } = await overrun(t)
  const late = long.durationMs - t.options.timeLimitMs
  const when = `${Math.abs(late / 1000).toFixed(1)} s ${late < 0 ? 'before' : 'after'} the limit`
  if (!long.response) {
    const variant = Math.abs(late) <= AT ? 'reset' : undefined
    return { variant, seen: `no answer: the request ended ${when}` }
  }
  if (long.response.status !== 504) return undefined
  const variant =
    Math.abs(late) <= AT
      ? 'hard'
      : late < 0 && late >= -1000 - AT
        ? 'second-early'
        : late > 0 && late <= 1000 + AT
          ? 'second-late'
          : undefined
  return { variant, seen: `504, ${when}` }
}

const after = 'time.limit'

export const timeProbes: Probe[] = [
  probe({ silence: 'NS-39', after, observe: timeoutBody }),
  probe({ silence: 'NS-40', after, observe: timeoutMode }),
]
