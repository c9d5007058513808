import { writeFileSync } from 'node:fs'
import { functionFiles, readFunctions } from './function-list.ts'

/** Run after PGlite, the rules or the decisions changed: `npx tsx mock/node/pglite/generate-functions.ts`. */
for (const [name, text] of Object.entries(functionFiles(await readFunctions()))) {
  writeFileSync(new URL(`../../gate/generated/${name}`, import.meta.url), text)
}
