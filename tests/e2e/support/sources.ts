import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { root } from './cli.ts'

/** Paths have slashes on every system. */
const { join } = posix
const ignored = new Set(['.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split(/\/?\n/)])

/** Paths of the files of the repository without ignored folders. Git is not needed: CI may check out without it. */
export function sources(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name) && !ignored.has(join(folder, name)))
    .flatMap((entry) =>
      entry.isDirectory() ? sources(join(folder, entry.name)) : [join(folder, entry.name)],
    )
}
