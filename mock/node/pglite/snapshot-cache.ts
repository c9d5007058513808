import { createHash, randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readTar } from '../../engine/snapshot/tar.ts'
import { type Lock, takeLock } from './lock.ts'

export interface SnapshotCacheOptions {
  readonly directory: string
  readonly key: string
  /** Builds the snapshot; called only if the cache does not have it. */
  readonly build: () => Promise<Uint8Array>
  /** Receives a sentence if the cache cannot be used. */
  readonly warn: (message: string) => void
  /** Called once if another process is building the snapshot. */
  readonly onWait?: () => void
}

/** A file contains the snapshot followed by its SHA-256 of this many bytes. */
const digestBytes = 32

/** Number of last used snapshots that are kept. */
const keptSnapshots = 8

/** A temporary file that was not touched for this time belongs to a process that died. */
const abandonedAfterMs = 3_600_000

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
  onWait = () => {},
}: SnapshotCacheOptions): Promise<Uint8Array> {
  const file = join(directory, `${key}.snapshot`)
  for (let waits = 0; ; waits++) {
    const cached = read(file)
    if (cached === 'damaged') {
      warn(`The cached snapshot ${file} is damaged. It is built again.`)
      await rm(file, { force: true }).catch(() => {})
    } else if (cached) {
      await touch(file)
      return cached
    }

    let lock: Lock | undefined
    try {
      await mkdir(directory, { recursive: true })
      lock = await takeLock(`${file}.lock`)
    } catch (error) {
      warn(
        `Snapshots cannot be cached in ${directory}: ${(error as Error).message}. Set another cache directory.`,
      )
      return build()
    }
    if (!lock) {
      if (waits === 0) onWait()
      await sleep(pollMs)
    } else {
      try {
        // another process may have finished before the lock was taken
        const finished = read(file)
        if (finished instanceof Uint8Array) return finished
        const snapshot = await build()
        try {
          await write(file, snapshot)
          await prune(directory)
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
function read(file: string): Uint8Array | 'damaged' | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(descriptor)
    if (size <= digestBytes) return 'damaged'
    const bytes = new Uint8Array(new SharedArrayBuffer(size))
    let at = 0
    while (at < size) {
      const count = readSync(descriptor, bytes, at, size - at, at)
      if (count === 0) return 'damaged'
      at += count
    }
    const snapshot = bytes.subarray(0, size - digestBytes)
    const isWhole = digest(snapshot).equals(bytes.subarray(size - digestBytes))
    return isWhole && isSnapshot(snapshot) ? snapshot : 'damaged'
  } catch {
    return 'damaged'
  } finally {
    closeSync(descriptor)
  }
}

/** Whether it is a data directory of PostgreSQL. @throws Error if it is no archive */
const isSnapshot = (bytes: Uint8Array): boolean => readTar(bytes).some(({ path }) => path === '/PG_VERSION')

/** Writes a temporary file and renames it, so that a reader sees the whole file or none. */
async function write(file: string, snapshot: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}`
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(snapshot)
      await handle.writeFile(digest(snapshot))
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

/** Sets the time of a file, which is the last use of its snapshot. */
async function touch(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => {})
}

/**
 * Deletes the least recently used snapshots and the files of processes that died. A process that is reading one has it open
 * already or builds it again.
 */
async function prune(directory: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(directory)).map(async (name) => {
      const file = join(directory, name)
      return { file, touched: (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now() }
    }),
  )
  const snapshots = files.filter(({ file }) => file.endsWith('.snapshot'))
  const unused = snapshots.sort((a, b) => b.touched - a.touched).slice(keptSnapshots)
  const abandoned = files.filter(
    ({ file, touched }) => /\.snapshot\.[0-9a-f-]{36}$/.test(file) && Date.now() - touched > abandonedAfterMs,
  )
  for (const { file } of [...unused, ...abandoned]) await rm(file, { force: true }).catch(() => {})
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
