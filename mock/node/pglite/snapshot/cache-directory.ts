import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * The default directory of snapshots: in node_modules of the project that contains the working directory, or in the user's
 * cache if there is no project.
 */
export function defaultCacheDirectory(): string {
  let directory = process.cwd()
  for (;;) {
    const modules = join(directory, 'node_modules')
    if (existsSync(modules)) return join(modules, '.cache', 'bioprocess-sql')
    const parent = dirname(directory)
    if (parent === directory) return join(userCache(), 'bioprocess-sql')
    directory = parent
  }
}

function userCache(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (process.platform === 'win32') return process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local')
  return process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
}
