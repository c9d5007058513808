import { Button } from '../parts/button.tsx'
import { forget, past, type Past, toggleSaved } from './past.ts'

/** The statements that were run in this browser, the saved ones first. */
export function PastList({ choose }: { choose: (statement: string) => void }) {
  const statements = past.value
  if (statements.length === 0) return <p class="small muted">A statement that you run appears here.</p>
  const saved = statements.filter(({ isSaved }) => isSaved)
  const others = statements.filter(({ isSaved }) => !isSaved)
  return (
    <>
      <ul class="past">
        {[...saved, ...others].map((one) => (
          <Entry key={one.statement} entry={one} choose={choose} />
        ))}
      </ul>
      {others.length > 0 && <Button class="quiet small" text="Forget those not saved" act={forget} />}
    </>
  )
}

function Entry({ entry, choose }: { entry: Past; choose: (statement: string) => void }) {
  const { statement, at, outcome, isSaved } = entry
  return (
    <li class="row">
      <button type="button" class="quiet grow" onClick={() => choose(statement)} title={statement}>
        <span class="mono clipped">{statement.replaceAll(/\s+/g, ' ')}</span>
        <span class="small muted">
          {outcome} · {new Date(at).toLocaleString()}
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
  )
}
