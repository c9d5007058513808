import type { Control } from './control.ts'
import { forms } from './forms.ts'
import { refusals } from './refusals.ts'
import { responses } from './responses.ts'
import { rows } from './rows.ts'
import { values } from './values.ts'

export type { Control } from './control.ts'

/** All controls. No check may fail or warn. */
export const controls: readonly Control[] = [...responses, ...rows, ...refusals, ...values, ...forms]
