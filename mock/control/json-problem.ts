import { mostLevels } from '../../fixtures/storable.ts'

/** A value of a row is below its row, its view and the body. */
const mostLevelsOfBody = mostLevels + 3

/**
 * Why a value would not arrive as JSON as it is, as a sentence that names its place, such as `v_quantities[1].molar_mass`;
 * undefined if it would. `JSON.stringify` makes null of NaN, drops functions, empties a Map, and fails for a BigInt without its place.
 */
export function jsonProblem(value: unknown, place = '', levels = mostLevelsOfBody): string | undefined {
  const foreign = foreignKind(value)
  if (foreign !== undefined)
    return `${place || 'The value'} is ${foreign}, which JSON does not have. Give text, a finite number, true, false, null, an array or an object.`
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `${place.slice(0, 60)}… is nested more than ${mostLevels} levels deep. Flatten it.`
  for (const [key, item] of Object.entries(value)) {
    // an undefined member is one that is not given
    if (item === undefined && !Array.isArray(value)) continue
    const inner = Array.isArray(value) ? `${place}[${key}]` : `${place}${place && '.'}${key}`
    const problem = jsonProblem(item, inner, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What a value is that JSON does not have; undefined if it has. */
function foreignKind(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `the BigInt ${value}`
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : undefined
  // by its tag, because objects of another realm have other prototypes
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag === 'Date') return Number.isNaN(Number(value)) ? 'an invalid Date' : undefined
  return tag === 'Object' || tag === 'Array' || 'toJSON' in value ? undefined : `a ${tag}`
}
