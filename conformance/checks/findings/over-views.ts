import type { ViewName } from '../../../schemas/index.ts'
import { compared, type Finding } from '../check.ts'

/** What came of one view: a finding, or how many things were compared and are as they should be. */
export type Compared = Finding | number

/**
 * Checks one view after the other. The first failure decides, then the first other finding; a pass says how much was
 * compared in which views.
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
