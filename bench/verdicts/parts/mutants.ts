import { mutants as all } from '../../../proof/mutants/index.ts'
import { isSlow, judgeMutant, startReferences } from '../../../proof/support/self-proof.ts'
import type { Part } from './part.ts'

/** Every mutant, judged by the checks that list it in `killedBy`. */
export const mutants: Part = {
  name: 'mutants',
  seconds: 0.5,
  ids: all.map(({ id }) => id),
  varies: (id) => isSlow({ id }),
  start: async () => {
    const references = await startReferences()
    return {
      judge: async (id) =>
        (
          await judgeMutant(
            references,
            all.find((mutant) => mutant.id === id)!,
          )
        ).report,
      close: () => references.close(),
    }
  },
}
