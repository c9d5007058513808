import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

/** The commit of a clone, such as `6129f64`, or `6129f64-dirty` with changes; undefined outside of a clone and without git. */
export function commitOf(folder: string): string | undefined {
  // a package that is installed in the project of somebody else must not show the commit of that project
  if (!existsSync(join(folder, '.git'))) return undefined
  const describe = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*']
  const { status, stdout } = spawnSync('git', describe, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Why a version of Node cannot run the commands, as a sentence; undefined if it can. */
export function nodeProblem(running: string): string | undefined {
  const { engines } = JSON.parse(packageFile('package.json')) as { engines: { node: string } }
  const needed = engines.node.replace('>=', '')
  if (running.localeCompare(needed, 'en', { numeric: true }) >= 0) return undefined
  return `This is Node ${running}, but Node ${needed} or later is needed. Install it and run the command again.`
}
