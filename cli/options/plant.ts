import type { Command } from 'commander'
import { instant, integer, type scale } from './parse.ts'

/** Which simulated plant to use. */
export interface PlantOptions {
  seed: number
  scale: number
  /** ISO 8601, with a zone. */
  asOf: string
}

/** @param parseScale decides how large the plant may be */
export const withPlantOptions = (
  command: Command,
  parseScale: typeof scale,
  scaleText = 'amount of data, 0.01 to 100',
): Command =>
  command
    .option('--seed <n>', 'each seed gives a different plant', integer, 1)
    .option('--scale <s>', scaleText, parseScale, 0.1)
    .option('--as-of <time>', 'the time at which the data end', instant, '2026-01-01T00:00:00Z')
