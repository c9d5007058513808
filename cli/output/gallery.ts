import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { generator } from '../../fixtures/plot/generator.ts'
import { CommandError, EXIT } from '../exit.ts'
import { replaceOutput, writing } from './files.ts'

/** The bytes of a file that hold the generator tag of a gallery. */
const HEAD_BYTES = 200

/**
 * Checks that a gallery may be written to a file, before anything is drawn; `-` is stdout. Only an older gallery is
 * overwritten.
 *
 * @throws CommandError if the file exists and is not a gallery, or its folder is not writable
 */
export function checkGalleryFile(file: string): void {
  if (file === '-') return
  writing('gallery', file, EXIT.usage, () => accessSync(dirname(file), constants.W_OK))
  if (existsSync(file) && !writing('gallery', file, EXIT.usage, () => isGallery(file)))
    throw new CommandError(
      `${file} exists and is not a gallery. Name another file, or delete this one.`,
      EXIT.usage,
    )
}

/** @throws CommandError if the page cannot be written; an older gallery stays */
export function writeGallery(file: string, page: string): void {
  if (file === '-') process.stdout.write(page)
  else replaceOutput('gallery', file, page)
}

function isGallery(file: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, head)
  } finally {
    closeSync(descriptor)
  }
  return head.toString().includes(`content="${generator}"`)
}
