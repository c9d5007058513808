import { Outcome } from './outcome.tsx'
import type { Run } from './run.ts'

/** A result that stays while other statements run. */
export interface KeptResult {
  readonly statement: string
  readonly state: Run
}

/** A kept result beside the latest one. */
export function Kept({ result, number, remove }: { result: KeptResult; number: number; remove: () => void }) {
  return (
    <section class="stack" aria-label={`Kept result ${number}`}>
      <p class="row small">
        <code class="clipped grow" title={result.statement}>
          {result.statement}
        </code>
        <button type="button" class="small" onClick={remove}>
          Remove
        </button>
      </p>
      <Outcome run={result.state} name={`Rows of kept result ${number}`} />
    </section>
  )
}
