import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The commit of a clone, such as `6129f64`, or `6129f64-dirty` with changes; undefined outside of a clone and without git. */
export function commitOf(folder: string): string | undefined {
  // a package that is installed in the project of somebody else must not show the commit of that project
  if (!existsSync(join(folder, '.git'))) return undefined
  const describe = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*']
  const { status, stdout } = spawnSync('git', describe, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
