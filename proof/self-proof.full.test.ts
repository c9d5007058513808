import { afterAll, beforeAll, test } from 'vitest'
import { mutants } from './mutants/index.ts'
import { expectKilled, startReferences, type References } from './support/self-proof.ts'

let references: References
beforeAll(async () => {
  references = await startReferences()
})
afterAll(() => references.close())

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))(
  'every check that claims the mutant %s catches it',
  (_, mutant) => expectKilled(references, mutant),
)
