import { Outcome } from './outcome.tsx'
import type { Run } from './run.ts'

/** A result that stays while other statements run. */
export interface KeptResult {
  readonly statement: string
  readonly state: Run
}

/** A kept result beside the latest one. */
export function Kept({ result, remove }: { result: KeptResult; remove: () => void }) {
  return (
    <section class="stack" aria-label="Kept result">
      <p class="row small">
        <code class="clipped grow" title={result.statement}>
          {result.statement}
        </code>
        <button type="button" class="small" onClick={remove}>
          Remove
        </button>
      </p>
      <Outcome run={result.state} />
    </section>
  )
}
