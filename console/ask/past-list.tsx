import { Button } from '../parts/button.tsx'
import { forget, past, toggleSaved } from './past.ts'

/** Swedish writes times as ISO 8601 does. */
const isoTime = (at: number) => new Date(at).toLocaleString('sv-SE').slice(0, 16)

/** The statements that were run in this browser, the latest first. */
export function PastList({ choose }: { choose: (statement: string) => void }) {
  if (past.value.length === 0) return <p class="small muted">A statement that you run appears here.</p>
  return (
    <>
      <ul class="past">
        {past.value.map(({ statement, at, outcome, isSaved }) => (
          <li key={statement} class="row">
            <button type="button" class="quiet grow" onClick={() => choose(statement)} title={statement}>
              <span class="mono clipped">{statement.replaceAll(/\s+/g, ' ')}</span>
              <span class="small muted">
                {isoTime(at)} · {outcome}
              </span>
            </button>
            <Button
              class="quiet"
              aria-pressed={isSaved}
              aria-label={`Save ${statement.slice(0, 80)}`}
              text={isSaved ? '★' : '☆'}
              act={() => toggleSaved(statement)}
            />
          </li>
        ))}
      </ul>
      <Button class="quiet small" text="Forget those not saved" act={forget} />
    </>
  )
}
