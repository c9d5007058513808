import type { Command } from 'commander'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { endOfData, integer, type scale } from './parse.ts'

/** Which simulated plant to use. */
export interface PlantOptions {
  seed: number
  scale: number
  /** ISO 8601, with a zone. */
  asOf: string
}

/** What `--report-by-exception` does. */
export const reportByExceptionText = 'store an online point only when its value moved or four hours passed'

/** @param parseScale decides how large the plant may be */
export const withPlantOptions = (
  command: Command,
  parseScale: typeof scale,
  scaleText = 'amount of data, 0.01 to 100',
): Command =>
  command
    .option('--seed <n>', 'each seed gives a different plant', integer, defaultPlant.seed)
    .option('--scale <s>', scaleText, parseScale, defaultPlant.scale)
    .option(
      '--as-of <time>',
      'the time at which the data end, or now: the last full hour',
      endOfData,
      defaultPlant.asOf,
    )
