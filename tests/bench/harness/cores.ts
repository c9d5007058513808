import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Read before pinning, because a pinned Node sees a single core. */
const cores = availableParallelism()
const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0

/** How servers and load share the cores, in words. */
export const placement = canPin
  ? 'servers on core 0 unless noted, load on core 1'
  : 'servers and load on any core'

const everyCore = `0-${cores - 1}`

/** Pins this process, which generates the load, to a core without servers. */
export function pinLoad(): void {
  moveTo('1')
}

/** Lets this process and its children, such as a browser, use all cores during the work. */
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

/** A Node command line that runs on the core of the servers or on all cores. */
export function nodeCommand(
  args: readonly string[],
  on: 'one' | 'all',
): [command: string, ...args: string[]] {
  const list = on === 'one' ? '0' : everyCore
  return canPin ? ['taskset', '-c', list, process.execPath, ...args] : [process.execPath, ...args]
}
