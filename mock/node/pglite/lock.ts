import { open, rm, stat, utimes } from 'node:fs/promises'

/** A lock that is held. */
export interface Lock {
  release(): Promise<void>
}

/** A lock whose file was not touched for this long belonged to a process that died. */
const expiresAfterMs = 15_000

/**
 * Takes the lock that the file stands for; undefined while another process holds it. Two processes may both
 * take one that expired: what it guards has to stand that.
 *
 * @throws Error when the file can't be written at all
 */
export async function takeLock(file: string): Promise<Lock | undefined> {
  try {
    await (await open(file, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const age = Date.now() - (await touchedAt(file))
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
    // released in between: the next try will take it
    return Date.now()
  }
}
