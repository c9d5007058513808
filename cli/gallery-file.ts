import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { generator } from '../fixtures/plot/generator.ts'
import { CommandError, EXIT } from './exit.ts'

/** Where a gallery goes. */
export interface GalleryFile {
  /** @throws CommandError when it can't be written; what was there before stays then. */
  write(page: string): void
}

/**
 * A file for a gallery, or stdout for `-`. It takes the place of an older gallery and of nothing else, which is known
 * before anything is drawn.
 *
 * @throws CommandError when something else is there, or its folder can't be written to
 */
export function openGallery(file: string): GalleryFile {
  if (file === '-') return { write: (page) => void process.stdout.write(page) }
  attempt(file, EXIT.usage, () => accessSync(dirname(file), constants.W_OK))
  if (existsSync(file) && !attempt(file, EXIT.usage, () => isGallery(file))) {
    throw new CommandError(`${file} is there and is no gallery. Give another file, or remove it.`, EXIT.usage)
  }
  const aside = `${file}.part`
  return {
    write: (page) =>
      attempt(file, EXIT.failed, () => {
        try {
          writeFileSync(aside, page)
          renameSync(aside, file)
        } catch (error) {
          rmSync(aside, { force: true })
          throw error
        }
      }),
  }
}

function isGallery(file: string): boolean {
  const beginning = Buffer.alloc(200)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, beginning)
  } finally {
    closeSync(descriptor)
  }
  return beginning.toString().includes(`content="${generator}"`)
}

function attempt<T>(file: string, exitCode: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CommandError(
      `The gallery can not be written to ${file} (${(error as NodeJS.ErrnoException).code}). Name a file in a folder that exists and can be written to.`,
      exitCode,
    )
  }
}
