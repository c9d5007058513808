import { Command } from 'commander'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { endOfData, integer, type scale } from './parse.ts'

/** What `--report-by-exception` does. */
export const reportByExceptionText = 'store an online point only when its value moved or four hours passed'

/**
 * The options that choose a simulated plant.
 *
 * @param parseScale decides how large the plant may be
 */
export const plantOptions = (parseScale: typeof scale, scaleText = 'amount of data, 0.01 to 100') =>
  new Command()
    .option('--seed <n>', 'each seed gives a different plant', integer, defaultPlant.seed)
    .option('--scale <s>', scaleText, parseScale, defaultPlant.scale)
    .option(
      '--as-of <time>',
      'the time at which the data end, or now: the last full hour',
      endOfData,
      defaultPlant.asOf,
    )
