import type { Control } from './control.ts'
import { envelopeControls } from './controls-envelope.ts'
import { rowControls } from './controls-rows.ts'
import { sqlControls } from './controls-sql.ts'

/** Every way in which the suite proves that it blames nobody for what the contract leaves open. */
export const controls: readonly Control[] = [...envelopeControls, ...rowControls, ...sqlControls]
