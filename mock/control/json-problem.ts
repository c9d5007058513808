import { mostLevels } from '../../fixtures/storable.ts'

/** A value of a row is below its row, its view and the body. */
const mostLevelsOfBody = mostLevels + 3

/**
 * Why a value would not arrive as JSON as it is, as a sentence that names its place, such as `v_quantities[1].molar_mass`;
 * undefined if it would. `JSON.stringify` makes null of NaN, and fails for a BigInt without its place.
 */
export function jsonProblem(value: unknown, place = '', levels = mostLevelsOfBody): string | undefined {
  if (typeof value === 'bigint')
    return `${place} is the BigInt ${value}, which JSON does not have. Give a number.`
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${place} is ${value}, which JSON does not have. Give a finite number, or null.`
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `${place.slice(0, 60)}… is nested more than ${mostLevels} levels deep. Flatten it.`
  for (const [key, item] of Object.entries(value)) {
    const inner = Array.isArray(value) ? `${place}[${key}]` : `${place}${place && '.'}${key}`
    const problem = jsonProblem(item, inner, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
