import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'

/** A lock that this process holds. */
export interface Lock {
  release(): Promise<void>
}

/** The lock of a process on another machine that died expires if its file was not touched for this time. */
const expiresAfterMs = 15_000

/**
 * Takes the lock of a file; undefined while another process holds it. Two processes may both take the lock of a process that died, which
 * the guarded work must tolerate.
 *
 * @param onAbandoned called if the lock was that of a process that died
 * @throws Error when the file cannot be written
 */
export async function takeLock(file: string, onAbandoned = () => {}): Promise<Lock | undefined> {
  try {
    const handle = await open(file, 'wx')
    // a full disk still has the name: the lock then only expires
    await handle.writeFile(`${hostname()} ${process.pid}`).catch(() => {})
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // a time in the future is that of a process that died before the clock was set back
    const age = Math.abs(Date.now() - (await touchedAt(file)))
    if (age <= expiresAfterMs && !(await hasDeadOwner(file))) return undefined
    await rm(file, { force: true })
    onAbandoned()
    return takeLock(file)
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

/** Whether the lock is that of a process of this machine that no longer runs. */
async function hasDeadOwner(file: string): Promise<boolean> {
  const [host, pid] = (await readFile(file, 'utf8').catch(() => '')).split(' ')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
