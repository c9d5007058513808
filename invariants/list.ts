import { documented } from './documented/list.ts'
import type { Invariant } from './invariant.ts'
import { plausible } from './plausible/list.ts'

/** All invariants: D1 to D38 follow from the contract, P1 to P38 are what an engineer expects. */
export const invariants: readonly Invariant[] = [...documented, ...plausible]
