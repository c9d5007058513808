import type { ViewName } from '../../../schemas/index.ts'
import { compared, type Finding } from '../check.ts'

/** The result for one view: a finding, or the number of successful comparisons. */
export type Compared = Finding | number

/**
 * Checks views one by one. Returns the first failure, else the first other finding, else a pass with the number of
 * comparisons and the views.
 */
export async function overViews(
  names: readonly ViewName[],
  noun: string,
  sentence: string,
  compare: (name: ViewName) => Promise<Compared>,
): Promise<Finding> {
  let count = 0
  let unclear: Finding | undefined
  const exercised: ViewName[] = []
  for (const name of names) {
    const result = await compare(name)
    if (typeof result === 'number') {
      count += result
      if (result > 0) exercised.push(name)
    } else if (result.outcome === 'fail') return result
    else unclear ??= result
  }
  return unclear ?? compared(count, noun, `${sentence} (${exercised.join(', ')})`)
}
