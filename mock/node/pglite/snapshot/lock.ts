import { open, rm, stat, utimes } from 'node:fs/promises'

/** A lock that this process holds. */
export interface Lock {
  release(): Promise<void>
}

/** The lock of a process that died expires if its file was not touched for this time. */
const expiresAfterMs = 15_000

/**
 * Takes the lock of a file; undefined while another process holds it. Two processes may both take an expired lock, which the
 * guarded work must tolerate.
 *
 * @throws Error when the file cannot be written
 */
export async function takeLock(file: string): Promise<Lock | undefined> {
  try {
    await (await open(file, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // a time in the future is that of a process that died before the clock was set back
    const age = Math.abs(Date.now() - (await touchedAt(file)))
    if (age > expiresAfterMs) await rm(file, { force: true })
    return undefined
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => {})
  }, expiresAfterMs / 5)
  return {
    async release() {
      clearInterval(heartbeat)
      await rm(file, { force: true }).catch(() => {})
    },
  }
}

async function touchedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs
  } catch {
    // released meanwhile: the next attempt takes it
    return Date.now()
  }
}
