import { blind } from './blind.ts'
import { caps } from './caps.ts'
import { controls } from './controls.ts'
import { examples } from './examples.ts'
import { mutants } from './mutants.ts'
import type { Part } from './part.ts'
import { reference } from './reference.ts'
import { variants } from './variants.ts'

export type { Judge, Part } from './part.ts'

/** All parts. The smallest are judged first. */
export const parts: readonly Part[] = [reference, examples, controls, mutants, blind, caps, variants]
