import type { Control } from './control.ts'
import { envelopeControls } from './controls-envelope.ts'
import { rowControls } from './controls-rows.ts'
import { sqlControls } from './controls-sql.ts'

/** Every permitted difference that the suite must pass. */
export const controls: readonly Control[] = [...envelopeControls, ...rowControls, ...sqlControls]
