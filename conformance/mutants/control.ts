import type { Mutant } from './mutant.ts'

/** A permitted difference: no check may fail a target for it. */
export interface Control {
  /** Stable kebab-case id. */
  id: string
  /** The open point that it is a variant of, if the register has it. */
  silence?: string
  /** What the target does: one sentence. */
  freedom: string
  /** Something cannot be exercised, so the verdict is `incomplete`. */
  leavesGaps?: true
  /** Rows change during the run: checks may be inconclusive, but must not fail. */
  moves?: true
  wrap: Mutant['wrap']
}
