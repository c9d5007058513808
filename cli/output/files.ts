import { closeSync, openSync, writeSync } from 'node:fs'
import { replaceFile } from '../../fixtures/export/replace-file.ts'
import { CommandError, EXIT } from '../exit.ts'

export interface OutputFile {
  write(text: string): void
  close(): void
}

/**
 * Opens and empties a file; `-` is stdout. A file is written in place, so that a FIFO or /dev/fd/3 works.
 *
 * @throws CommandError if the file cannot be opened; `write` throws one if the disk is full
 */
export function openFile(file: string): OutputFile {
  if (file === '-') return { write: (text) => void process.stdout.write(text), close: () => {} }
  const descriptor = writing('output', file, EXIT.usage, () => openSync(file, 'w'))
  return {
    write: (text) => writing('output', file, EXIT.broken, () => writeAll(descriptor, Buffer.from(text))),
    close: () => closeSync(descriptor),
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
    throw new CommandError(
      `Cannot write the ${what} to ${file} (${(error as NodeJS.ErrnoException).code}). Name a file in a writable folder.`,
      exitCode,
    )
  }
}
