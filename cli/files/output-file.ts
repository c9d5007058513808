import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { replaceFile } from '../../base/files/replace-file.ts'
import { CommandError, EXIT } from '../exit.ts'
import { remedyOf } from './system-errors.ts'

export interface OutputFile {
  write(text: string): void
}

/** Files that were made for an output and have none so far. */
const empty = new Set<string>()
process.once('exit', () => empty.forEach((file) => rmSync(file, { force: true })))

/**
 * Opens a file; `-` is stdout. The file keeps its content until the first `write`, and a new one that gets none is removed, so a
 * command that fails leaves what it found. It is written in place, so that a link, a FIFO or /dev/fd/3 works.
 *
 * @throws CommandError if the file cannot be opened, or is a FIFO that nobody reads; `write` throws one if the disk is full
 */
export function openFile(file: string): OutputFile {
  if (file === '-') return { write: (text) => void process.stdout.write(text) }
  const isNew = !existsSync(file)
  const descriptor = writing('output', file, EXIT.usage, () => openInPlace(file))
  if (isNew) empty.add(file)
  let isOld = fstatSync(descriptor).isFile()
  return {
    write: (text) =>
      writing('output', file, EXIT.usage, () => {
        if (isOld) ftruncateSync(descriptor)
        isOld = false
        empty.delete(file)
        writeAll(descriptor, Buffer.from(text))
      }),
  }
}

/** Without O_NONBLOCK, a FIFO would wait for its reader; with it, writes to a full pipe would fail. */
function openInPlace(file: string): number {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK)
  if (fstatSync(descriptor).isFile()) return descriptor
  try {
    return openSync(file, 'w')
  } finally {
    closeSync(descriptor)
  }
}

/** A pipe or a full disk may accept only part of the bytes. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

/**
 * Replaces a file in one step: readers see the old content or the new, never a part.
 *
 * @param what the noun for the error message, such as "ready file"
 * @param mode the permissions of the new file
 * @throws CommandError if the file cannot be written; the old one stays
 */
export function replaceOutput(what: string, file: string, text: string, mode?: number): void {
  writing(what, file, EXIT.failed, () => replaceFile(file, text, mode))
}

/** Reports the failure of a file operation as a CommandError. */
export function writing<T>(what: string, file: string, exitCode: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandError(
      `Cannot write the ${what} to ${file} (${code}). ${remedyOf(code) ?? 'Name a file in a writable folder.'}`,
      exitCode,
    )
  }
}
