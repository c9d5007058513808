import { isOfTime, judge, startReferences, variants as all } from '../../../proof/support/variants.ts'
import type { Part } from './part.ts'

const byName = new Map(all.map((variant) => [variant.name, variant]))

/** Servers with one variant of an open point that is not the default. */
export const variants: Part = {
  name: 'variants',
  seconds: 6,
  ids: [...byName.keys()],
  varies: (id) => isOfTime(byName.get(id)!),
  start: async () => {
    const references = await startReferences(2)
    return { judge: (id) => judge(references, [byName.get(id)!]), close: () => references.close() }
  },
}
