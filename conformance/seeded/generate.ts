import { documentedShapes } from './generate-documented.ts'
import { furtherShapes } from './generate-further.ts'
import type { GeneratorContext } from './generator-context.ts'
import type { Query } from './syntax.ts'

const shapes = [...documentedShapes, ...furtherShapes]

/** A random statement, usually of a documented kind. */
export const generate = (context: GeneratorContext): Query => context.random.pick(shapes)(context)
