import { documentedShapes } from './generate-documented.ts'
import { furtherShapes } from './generate-further.ts'
import type { GeneratorContext } from './generator-context.ts'
import type { Query } from './syntax.ts'

const shapes = [...documentedShapes, ...furtherShapes]

/** One statement, of a documented kind more often than not. */
export const generate = (context: GeneratorContext): Query => context.random.pick(shapes)(context)
