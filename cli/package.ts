import { existsSync, readFileSync } from 'node:fs'

/** The folder of the package: one level above the sources, two above the compiled files. */
const root = ['../', '../../']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('package.json', url)))!

/** The text of a file of the package, by its path in the package. */
export const packageFile = (path: string): string => readFileSync(new URL(path, root), 'utf8')

export const version = (JSON.parse(packageFile('package.json')) as { version: string }).version
