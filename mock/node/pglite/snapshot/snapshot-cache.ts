import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../../base/files/make-folder.ts'
import type { ProgressListener } from '../../../engine/snapshot/progress.ts'
import { readTar } from '../../../engine/snapshot/tar.ts'
import { damaged, prune, readChecked, touch, writeChecked } from './cache-files.ts'
import { type Lock, takeLock } from './lock.ts'

export interface SnapshotCacheOptions {
  readonly directory: string
  readonly key: string
  /** Builds the snapshot; called only if the cache does not have it. */
  readonly build: () => Promise<Uint8Array>
  /** Receives a sentence if the cache cannot be used. */
  readonly warn: (message: string) => void
  /** Receives sentences about another process that builds the snapshot. */
  readonly onProgress?: ProgressListener
}

/** Number of last used snapshots that are kept. */
const keptSnapshots = 8

/** The interval at which a process checks whether another one has built the snapshot. */
const pollMs = 100

/**
 * Reads a snapshot from the cache, or builds and caches it. One of several processes builds it while the others wait. A
 * cache that is damaged or cannot be written costs time but causes no error.
 *
 * @returns the snapshot in shared memory
 */
export async function cachedSnapshot({
  directory,
  key,
  build,
  warn,
  onProgress = () => {},
}: SnapshotCacheOptions): Promise<Uint8Array> {
  const file = join(directory, `${key}.snapshot`)
  for (let waits = 0; ; waits++) {
    const cached = read(file)
    if (cached === damaged) {
      warn(`The cached snapshot ${file} is damaged. It is built again.`)
      await rm(file, { force: true }).catch(() => {})
    } else if (cached) {
      await touch(file)
      return cached
    }

    let lock: Lock | undefined
    try {
      makeFolder(directory)
      lock = await takeLock(`${file}.lock`, () =>
        onProgress('The process that built the snapshot was stopped. It is built again.'),
      )
    } catch (error) {
      warn(
        `Snapshots cannot be cached in ${directory}: ${(error as Error).message}. Set another cache directory.`,
      )
      return build()
    }
    if (!lock) {
      if (waits === 0) onProgress('Another process builds the same snapshot. Waiting for it.')
      await sleep(pollMs)
    } else {
      try {
        // another process may have finished before the lock was taken
        const finished = read(file)
        if (finished instanceof Uint8Array) return finished
        const snapshot = await build()
        try {
          // first, because it makes room
          await prune(directory, 'snapshot', keptSnapshots - 1)
          await writeChecked(file, snapshot)
        } catch (error) {
          warn(
            `The snapshot could not be kept in ${directory}: ${(error as Error).message}. The next start builds it again: make room there, or set another cache directory.`,
          )
        }
        return snapshot
      } finally {
        await lock.release()
      }
    }
  }
}

/** Reads into shared memory, which all engines use without a copy. */
function read(file: string): Uint8Array | typeof damaged | undefined {
  const bytes = readChecked(file, (length) => new Uint8Array(new SharedArrayBuffer(length)))
  return bytes instanceof Uint8Array && !isSnapshot(bytes) ? damaged : bytes
}

/** Whether it is a data directory of PostgreSQL. */
function isSnapshot(bytes: Uint8Array): boolean {
  try {
    return readTar(bytes).some(({ path }) => path === '/PG_VERSION')
  } catch {
    return false
  }
}
