import type { CheckResult, ConformanceReport, Verdict } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'

/** The higher, the worse. */
const SEVERITY: Record<Verdict, number> = {
  conformant: 0,
  'conformant-with-waivers': 1,
  incomplete: 2,
  'non-conformant': 3,
  'suite-error': 4,
  unreachable: 4,
}

/**
 * One sentence for each regression from `before` to `after`: a worse verdict, a check that no longer passes, a new
 * failure, a missing check. The outcome `observed` is never a regression.
 * @example for (const sentence of regressions(before, after)) console.error(sentence)
 */
export function regressions(before: ConformanceReport, after: ConformanceReport): string[] {
  const verdict =
    SEVERITY[after.verdict] > SEVERITY[before.verdict]
      ? [`The verdict was ${before.verdict} and is now ${after.verdict}.`]
      : []
  const was = new Map(before.checks.map((check) => [check.id, check]))
  const is = new Map(after.checks.map((check) => [check.id, check]))
  const vanished = before.checks
    .filter(({ id }) => !is.has(id))
    .map(({ id, outcome }) => `${id}: was ${outcome} and is now missing.`)
  const worse = after.checks
    .filter((check) => isWorse(was.get(check.id)?.outcome, check.outcome))
    .map(({ id, outcome, message }) => {
      const earlier = was.get(id)
      return `${id}: ${earlier ? `was ${earlier.outcome} and is now` : 'is new and'} ${outcome}: ${message}`
    })
  return plain([...verdict, ...worse, ...vanished])
}

const GOOD: Outcome[] = ['pass', 'observed']
const BAD: Outcome[] = ['fail', 'error']

type Outcome = CheckResult['outcome']

const isWorse = (before: Outcome | undefined, after: Outcome): boolean =>
  (before === 'pass' && !GOOD.includes(after)) ||
  (BAD.includes(after) && (before === undefined || !BAD.includes(before)))
