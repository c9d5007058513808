import type { Mutant } from './mutant.ts'

/** A way to answer that the contract leaves open: no check may hold it against a target. */
export interface Control {
  /** Stable kebab-case id. */
  id: string
  /** The silence that it makes use of, where the register has it as one. */
  silence?: string
  /** What the target does: one sentence. */
  freedom: string
  /** Something can not be exercised then, so the verdict is `incomplete`. */
  leavesGaps?: true
  /** Rows move: what can not be told is inconclusive then, and must not be anything worse. */
  moves?: true
  wrap: Mutant['wrap']
}
