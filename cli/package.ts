import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commitOf } from './commit.ts'

/** The folder of the package: one level above the sources, two above the compiled files. */
const root = ['../', '../../']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('package.json', url)))!

/** The text of a file of the package, by its path in the package. */
export const packageFile = (path: string): string => readFileSync(new URL(path, root), 'utf8')

export const version = (JSON.parse(packageFile('package.json')) as { version: string }).version

/** The build writes this file beside the compiled one. */
const built = new URL('commit.txt', import.meta.url)

/** The commit that the command line was built from, or runs in; undefined if it is unknown. */
export const commit: string | undefined =
  (existsSync(built) ? readFileSync(built, 'utf8') : commitOf(fileURLToPath(root))) || undefined
