import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** A file contains bytes followed by their CRC-32 of this many bytes. SHA-256 of a snapshot takes 10 ms more, or 50 without support of the processor. */
const checksumBytes = 4

/** A temporary file that was not touched for this time belongs to a process that died: one that writes touches it all the time. */
const abandonedAfterMs = 10_000

/** Bytes of a checked file that are not those that were written. */
export const damaged = Symbol('damaged')

/**
 * Reads the bytes of a file that {@link writeChecked} wrote.
 *
 * @param allocate returns memory of the given number of bytes for the file
 * @returns undefined if there is no such file
 */
export function readChecked(
  file: string,
  allocate: (bytes: number) => Uint8Array,
): Uint8Array | typeof damaged | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(descriptor)
    if (size <= checksumBytes) return damaged
    const bytes = allocate(size - checksumBytes)
    const written = new Uint8Array(checksumBytes)
    const isWhole = readInto(descriptor, bytes, 0) && readInto(descriptor, written, bytes.length)
    return isWhole && checksum(bytes).equals(written) ? bytes : damaged
  } catch {
    return damaged
  } finally {
    closeSync(descriptor)
  }
}

/** @returns false if the file ends before */
function readInto(descriptor: number, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < bytes.length;) {
    const count = readSync(descriptor, bytes, at, bytes.length - at, from + at)
    if (count === 0) return false
    at += count
  }
  return true
}

/** Writes a temporary file and renames it, so that a reader sees the whole file or none. */
export async function writeChecked(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}`
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(bytes)
      await handle.writeFile(checksum(bytes))
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

/** Sets the time of a file, which is that of its last use. */
export async function touch(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => {})
}

/**
 * Deletes the least recently used files with an extension, and the temporary ones of processes that died. A process that is
 * reading a file has it open already or makes it again.
 */
export async function prune(directory: string, extension: string, kept: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(directory)).map(async (name) => {
      const file = join(directory, name)
      return { file, touched: (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now() }
    }),
  )
  const whole = files.filter(({ file }) => file.endsWith(`.${extension}`))
  const unused = whole.sort((a, b) => b.touched - a.touched).slice(kept)
  const isTemporary = new RegExp(`\\.${extension}\\.[0-9a-f-]{36}$`)
  const abandoned = files.filter(
    ({ file, touched }) => isTemporary.test(file) && Date.now() - touched > abandonedAfterMs,
  )
  for (const { file } of [...unused, ...abandoned]) await rm(file, { force: true }).catch(() => {})
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(checksumBytes)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
