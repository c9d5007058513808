import type { CheckResult } from '../../schemas/generated/types.ts'
import type { Progress } from './suite-run.ts'

const classes: Readonly<Record<CheckResult['outcome'], string>> = {
  pass: 'good',
  fail: 'bad',
  error: 'bad',
  warn: 'warn',
  waived: 'warn',
  inconclusive: 'warn',
  observed: 'info',
  'not-exercised': 'none',
}

/** How far the suite is: a bar, a count for each outcome, and what did not pass so far. */
export function ProgressView({ progress: { total, results } }: { progress: Progress }) {
  const all = [...results.values()]
  const counts = Object.entries(classes).flatMap(([outcome, colour]) => {
    const count = all.filter((result) => result.outcome === outcome).length
    return count > 0 ? [{ outcome, colour, count }] : []
  })
  const failed = all.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
  return (
    <section class="card" aria-label="Progress of the suite">
      <div class="body stack">
        <p class="row">
          <strong role="status">
            {total === 0 ? 'Starting …' : `${Math.min(all.length, total)} of ${total} checks`}
          </strong>
          {counts.map(({ outcome, colour, count }) => (
            <span key={outcome} class={`badge ${colour}`}>
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
