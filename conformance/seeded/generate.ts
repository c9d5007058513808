import { documentedShapes } from '../search/generate-documented.ts'
import type { Query } from '../search/syntax.ts'
import { furtherShapes } from './generate-further.ts'
import type { PlantContext } from './values.ts'

const shapes = [...documentedShapes, ...furtherShapes]

/** A random statement, usually of a documented kind. */
export function generate(context: PlantContext): Query {
  for (;;) {
    const query = context.random.pick(shapes)(context)
    if (query) return query
  }
}
