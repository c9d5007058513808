import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Read before anything is pinned: afterwards node sees a single core. */
const cores = availableParallelism()
const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0

/** How servers and load share the machine, in words. */
export const placement = canPin
  ? 'servers on core 0 unless said otherwise, the load on core 1'
  : 'servers and load wherever the system puts them'

const everyCore = `0-${cores - 1}`

/** Moves this process, and with it the load, to a core that no server uses. */
export function pinLoad(): void {
  moveTo('1')
}

/** Lets this process use all cores, and with it what it starts, until the work is done: a browser, for instance. */
export async function onAllCores<T>(work: () => Promise<T>): Promise<T> {
  moveTo(everyCore)
  try {
    return await work()
  } finally {
    pinLoad()
  }
}

function moveTo(list: string): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', list, String(process.pid)])
}

/** A node command line that runs on the servers' core, or on all of them. */
export function nodeCommand(
  args: readonly string[],
  on: 'one' | 'all',
): [command: string, ...args: string[]] {
  const list = on === 'one' ? '0' : everyCore
  return canPin ? ['taskset', '-c', list, process.execPath, ...args] : [process.execPath, ...args]
}
