import type { ViewName } from '../../../schemas/index.ts'
import { compared, type Finding } from '../check.ts'

/** What a relation says of one view: why it does not hold, or how many things were compared. */
export type Compared = Finding | number

/**
 * Judges one view after the other: the first that fails decides, and then one that could not be told. A pass
 * says how much was compared in which views.
 */
export async function overViews(
  names: readonly ViewName[],
  noun: string,
  sentence: string,
  judge: (name: ViewName) => Promise<Compared>,
): Promise<Finding> {
  let count = 0
  let unclear: Finding | undefined
  const exercised: ViewName[] = []
  for (const name of names) {
    const result = await judge(name)
    if (typeof result === 'number') {
      count += result
      if (result > 0) exercised.push(name)
    } else if (result.outcome === 'fail') return result
    else unclear ??= result
  }
  return unclear ?? compared(count, noun, `${sentence} (${exercised.join(', ')})`)
}
