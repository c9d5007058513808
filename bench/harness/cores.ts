import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Read before anything is pinned: afterwards node sees a single core. */
const cores = availableParallelism()
const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0

/** How servers and load share the machine, in words. */
export const placement = canPin
  ? 'servers on core 0 unless said otherwise, the load on core 1'
  : 'servers and load wherever the system puts them'

/** Moves this process, and with it the load, to a core that no server uses. */
export function pinLoad(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)])
}

/** A node command line that runs on the servers' core, or on all of them. */
export function nodeCommand(
  args: readonly string[],
  on: 'one' | 'all',
): [command: string, ...args: string[]] {
  const list = on === 'one' ? '0' : `0-${cores - 1}`
  return canPin ? ['taskset', '-c', list, process.execPath, ...args] : [process.execPath, ...args]
}
