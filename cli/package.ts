import { existsSync, readFileSync } from 'node:fs'

/** The package's own folder: one up from the sources, two from their compiled form. */
const root = ['../', '../../']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('package.json', url)))!

/** A file that ships with the package, by its path from the package's folder. */
export const packageFile = (path: string): string => readFileSync(new URL(path, root), 'utf8')

export const version = (JSON.parse(packageFile('package.json')) as { version: string }).version
