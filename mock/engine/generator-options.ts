import type { ProcessName } from '../../fixtures/index.ts'
import type { OptionTypes } from '../../schemas/check-options.ts'

/** The options of createDataset that decide the generated rows, without defaults. */
export interface GeneratorOptions {
  /** Another seed is another plant. */
  readonly seed: number
  /** How much data there is, from 0.01 to 100. */
  readonly scale: number
  /** The time at which the data end, ISO 8601 with a zone. */
  readonly asOf: string
  /** The number of runs with data; the points of fewer than 20 may end before `asOf`. Default: as many as the scale gives. */
  readonly runs?: number
  /** Simulates only this process. Default: all. */
  readonly process?: ProcessName
  /** Minutes between the online points of a series, from 1 to 1440. Default: as the scale gives. */
  readonly pointInterval?: number
  /** Stores online points by exception only, so that the points of a series are irregular. Default: false. */
  readonly reportByException?: boolean
}

/** The types of the options. */
export const generatorTypes: OptionTypes<GeneratorOptions> = {
  seed: 'number',
  scale: 'number',
  asOf: 'string',
  runs: 'number',
  process: 'string',
  pointInterval: 'number',
  reportByException: 'boolean',
}

/** The names of the options, in the order in which {@link generatorOf} returns them. */
export const generatorOptions = Object.keys(generatorTypes) as readonly (keyof GeneratorOptions)[]

/** The options that are given among others. Equal options give equal JSON. */
export function generatorOf<Options extends Partial<GeneratorOptions>>(
  options: Options,
): Pick<Options, keyof Options & keyof GeneratorOptions> {
  const given = generatorOptions.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, options[name]])) as never
}
