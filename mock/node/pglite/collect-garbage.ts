import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Collects the garbage of this thread, which takes some 10 ms. V8 does so when a thread allocates memory: one that becomes idle
 * keeps its garbage.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
