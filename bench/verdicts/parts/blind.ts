import { blindMutants } from '../../../proof/blind/index.ts'
import { startBlindReference } from '../../../proof/support/blind.ts'
import type { Part } from './part.ts'

const byId = new Map(blindMutants.map((mutant) => [mutant.id, mutant]))

/** Every mutant that was written from the contract alone, judged by all checks of its area. */
export const blind: Part = {
  name: 'blind',
  seconds: 5,
  ids: [...byId.keys()],
  varies: (id) => byId.get(id)!.breaks.startsWith('REQ-TIME') || id.endsWith('-sometimes'),
  start: async () => {
    const reference = await startBlindReference()
    return { judge: (id) => reference.judge(byId.get(id)!), close: () => reference.close() }
  },
}
