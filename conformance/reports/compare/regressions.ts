import type { CheckResult, ConformanceReport, Verdict } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'

const FROM_GOOD_TO_BAD: Record<Verdict, number> = {
  conformant: 0,
  'conformant-with-waivers': 1,
  incomplete: 2,
  'non-conformant': 3,
  'suite-error': 4,
  unreachable: 4,
}

/**
 * In what `after` is worse than `before`, a sentence each: the verdict; a check that passed and no longer does; one
 * that fails and did not; one that is gone. What was only `observed` is held against nobody, here neither.
 */
export function regressions(before: ConformanceReport, after: ConformanceReport): string[] {
  const verdict =
    FROM_GOOD_TO_BAD[after.verdict] > FROM_GOOD_TO_BAD[before.verdict]
      ? [`The verdict was ${before.verdict} and is ${after.verdict}.`]
      : []
  const was = new Map(before.checks.map((check) => [check.id, check]))
  const is = new Map(after.checks.map((check) => [check.id, check]))
  const vanished = before.checks
    .filter(({ id }) => !is.has(id))
    .map(({ id, outcome }) => `${id}: was ${outcome} and is not there any more.`)
  const worse = after.checks
    .filter((check) => isWorse(was.get(check.id)?.outcome, check.outcome))
    .map(({ id, outcome, message }) => {
      const earlier = was.get(id)
      return `${id}: ${earlier ? `was ${earlier.outcome}` : 'is new'} and is ${outcome}, ${message}`
    })
  return plain([...verdict, ...worse, ...vanished])
}

const GOOD: Outcome[] = ['pass', 'observed']
const BAD: Outcome[] = ['fail', 'error']

type Outcome = CheckResult['outcome']

const isWorse = (before: Outcome | undefined, after: Outcome): boolean =>
  (before === 'pass' && !GOOD.includes(after)) ||
  (BAD.includes(after) && (before === undefined || !BAD.includes(before)))
