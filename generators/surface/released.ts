import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { names } from './names.ts'

/** Notes the names of a release, below which nothing may disappear unsaid until the next one. */
writeFileSync(join(import.meta.dirname, 'released.txt'), `${names(import.meta.dirname).join('\n')}\n`)
