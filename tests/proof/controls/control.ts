import type { Mutant } from '../mutant.ts'

/** A server that differs from the reference in a permitted way, for which there is no setting. */
export interface Control {
  /** Stable kebab-case id. */
  id: string
  /** The behaviour of the server: one sentence. */
  does: string
  /** Rows change during the run: checks may be inconclusive, but must not fail or warn. */
  changes?: true
  /** Some requirements cannot be tested: checks may not be exercised. */
  hides?: true
  wrap: Mutant['wrap']
}
