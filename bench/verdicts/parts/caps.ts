import { caps as named, judgeCap } from '../../../proof/support/caps.ts'
import { startReference } from '../../../proof/support/self-proof.ts'
import type { Part } from './part.ts'

const byName = new Map(named.all)

/** Servers whose responses end at a cap. */
export const caps: Part = {
  name: 'caps',
  seconds: 4,
  ids: [...byName.keys()],
  start: async () => {
    const reference = await startReference({ scale: 0.01 })
    return { judge: (id) => judgeCap(reference, byName.get(id)!), close: () => reference.close() }
  },
}
