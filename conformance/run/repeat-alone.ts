import { sleep } from '../../base/until-aborted.ts'
import { requirement } from '../../schemas/index.ts'
import { anyMoment, dataMoves, showsUpdates } from '../answers/moving.ts'
import { brokenKind } from '../answers/broken.ts'
import { inconclusive } from '../checks/check.ts'
import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import { isServed } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { findingOf, isUnserved, settle, type Settled } from './settle.ts'

/**
 * Whether a failure may be due to the other requests in flight. Checks of the time limit take too long to repeat, and checks
 * of all answers would read the same ones.
 */
export const mayVary = ({ check: { phase = 'parallel', repeats }, finding }: Settled): boolean =>
  finding.outcome === 'fail' && phase === 'parallel' && !repeats

/** Repetitions of a check that failed; more if the data change, because a defect shows each time. */
const REPETITIONS = { still: 3, moving: 6 }

/**
 * Repeats a failed check after the others of its phase, without cached answers. A failure that rests on a request that was not
 * served has to show again: the target was perhaps down, or something in front of it answered. If the data change during the run, it
 * has to show each time. Any other failure stays, with a note if the check then passes: the curl command may show nothing wrong.
 */
export async function repeatAlone(settled: Settled, target: Target): Promise<Settled> {
  const { check, finding } = settled
  const { message, exchanges = [], notes = [] } = finding
  if (exchanges.some((one) => brokenKind(one, target.options.timeLimitMs))) await untilServed(target)
  const outcomes: string[] = []
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  for (let n = 0; n < REPETITIONS.still; n++) {
    const again = await findingOf(check, target.fresh())
    if (again.outcome !== 'fail' && isUnserved(finding)) {
      const first = `The first attempt failed, which a repetition did not show: ${message}.`
      return { ...settled, finding: { ...again, notes: [...(again.notes ?? []), first] } }
    }
    outcomes.push(again.outcome)
    // Most defects show again at once, which needs no further requests.
    if (n === 0 && again.outcome !== 'pass') break
  }
  if (finding.followsChange || dataMoves(target)) {
    while (count('fail') === outcomes.length && outcomes.length < REPETITIONS.moving) {
      await anyMoment(target)
      outcomes.push((await findingOf(check, target.fresh())).outcome)
    }
    if (count('fail') === outcomes.length) return settled
    const what = showsUpdates(target) ? 'the data change' : 'answers differ'
    const why = `${what}, and the check does not fail each time (${message})`
    return { ...settled, finding: inconclusive(why, { exchanges }) }
  }
  const passed = count('pass')
  if (passed === 0) return settled
  const note =
    passed === REPETITIONS.still
      ? `The check passed ${passed} of ${passed} times when it was repeated after the other checks: answers may be mixed up under concurrency.`
      : `The check passed ${passed} of ${REPETITIONS.still} times when it was repeated, so the answers vary.`
  return { ...settled, finding: { ...finding, notes: [...notes, note] } }
}

/** Whether a check may lack replies that were lost: behind a gateway that drops some, others come when it is repeated. */
export const isUnclear = ({ check, finding: { outcome } }: Settled, { client }: Target): boolean =>
  (['inconclusive', 'not-exercised'].includes(outcome) ||
    (outcome === 'observed' && requirement(check.requirement).level !== 'observe')) &&
  client.lost > 0 &&
  client.options.limits.reason === undefined

/** Checks in a row that stay unclear before the others are left as they are. */
const MOST_UNCLEAR = 3

/** Repeats checks that lack replies at the end of a run, with readings of their own. */
export async function repeatUnclear(
  all: readonly Settled[],
  target: Target,
  finish: (settled: Settled) => void,
): Promise<void> {
  const fresh = target.fresh()
  const before = target.client.lost
  let stay = 0
  for (const settled of all) {
    const again = stay < MOST_UNCLEAR ? await settle(settled.check, fresh) : settled
    const isLost = again === settled || target.client.lost > before
    stay = isUnclear(again, target) && isLost ? stay + 1 : 0
    const { message, exchanges = [] } = again.finding
    if (mayVary(again)) finish(await repeatAlone(again, target))
    else if (isLost && again.finding.outcome === 'observed')
      finish({ ...again, finding: inconclusive(`replies were lost: ${message}`, { exchanges }) })
    else finish(again)
  }
}

/** Longest wait of a run for a target that stopped serving statements, in seconds. */
const MOST_WAITED = 10

/** Waits once in a run for a target that has served the plain statement, and may be restarting. */
const untilServed = (t: Target): Promise<void> =>
  t.once('outage', async () => {
    if (!(await isServed(t.baseline()))) return
    for (let n = 0; n < MOST_WAITED && !(await isServed(t.query(PLAIN_STATEMENT))); n++)
      await sleep(1000, t.client.options.limits.signal).catch(() => {})
  })
