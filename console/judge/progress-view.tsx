import { classOf } from '../../conformance/reports/html/badge.ts'
import { SYMBOLS } from '../../conformance/reports/symbols.ts'
import type { CheckResult } from '../../schemas/generated/types.ts'
import type { Progress } from './suite-run.ts'

const outcomes = Object.keys(SYMBOLS) as CheckResult['outcome'][]

/** How far the suite is: a bar, a count for each outcome, and what did not pass so far. */
export function ProgressView({ progress: { total, results } }: { progress: Progress }) {
  const all = [...results.values()]
  const counts = outcomes.flatMap((outcome) => {
    const count = all.filter((result) => result.outcome === outcome).length
    return count > 0 ? [{ outcome, count }] : []
  })
  const failed = all.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
  return (
    <section class="card" aria-label="Progress of the suite">
      <div class="body stack">
        <p class="row">
          <strong role="status">
            {total === 0 ? 'Starting …' : `${Math.min(all.length, total)} of ${total} checks`}
          </strong>
          {counts.map(({ outcome, count }) => (
            <span key={outcome} class={`badge ${classOf(outcome)}`}>
              {count} {outcome}
            </span>
          ))}
        </p>
        <progress aria-label="Checks" max={total || 1} value={all.length} />
        <ul class="stack">
          {failed.map(({ id, requirement, message }) => (
            <li key={id} class="notice bad">
              <code>{requirement}</code> <code>{id}</code> {message.split('\n')[0]}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
