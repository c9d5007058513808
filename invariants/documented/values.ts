import { validators } from '../../schemas/generated/validators.ts'
import { unless, type Problems } from '../invariant.ts'
import type { Row } from '../rows/row.ts'
import { say } from '../message.ts'

/** `unit` is a string, empty where no unit applies, never null. */
export function unitProblems({ unit }: Row): Problems {
  return unless(typeof unit === 'string', say`unit is ${unit}, not a string.`)
}

/** A scalar is a string or a number. */
export function valueProblems({ value }: Row): Problems {
  return unless(
    typeof value === 'string' || typeof value === 'number',
    say`value is ${value}, not a string or a number.`,
  )
}

/** A formula series is two arrays of numbers. */
export function seriesProblems({ timeseries }: Row): Problems {
  const fits = timeseries === null || validators['objects/series'](timeseries)
  return unless(fits, say`timeseries is neither null nor {data: number[], times_ms: number[]}.`)
}

/** `is_timeseries` is a boolean, `alternative_names` an array of strings. */
export function quantityProblems({ is_timeseries: flag, alternative_names: names }: Row): Problems {
  const strings = Array.isArray(names) && names.every((name) => typeof name === 'string')
  return [
    ...unless(typeof flag === 'boolean', say`is_timeseries is ${flag}, not a boolean.`),
    ...unless(strings, say`alternative_names is ${names}, not an array of strings.`),
  ]
}

/** `molar_mass` is a number or null. */
export function molarMassProblems({ molar_mass: mass }: Row): Problems {
  return unless(mass === null || typeof mass === 'number', say`molar_mass is ${mass}, not a number or null.`)
}
