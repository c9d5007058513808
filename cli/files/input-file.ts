import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, EXIT } from '../exit.ts'

/** Largest file that an option may name, in MiB. A report with every response is the largest, with less than half of it. */
const MOST_MIB = 64

/**
 * The text of a file that an option names. A device or a pipe may never end, so only a regular file is read.
 *
 * @param what the noun for the error message, such as "config file"
 * @param remedy a sentence for a file that does not exist or may not be read
 * @param size the largest size, and a sentence for a larger file
 * @throws CommandError if the file cannot be read, is no regular file or is too large
 */
export function readInput(
  what: string,
  file: string,
  remedy = 'Check its path.',
  size = { mostMiB: MOST_MIB, remedy: 'Name the right file.' },
): string {
  const refusal = (reason: string, instead: string) =>
    new CommandError(`Cannot read the ${what} ${file} (${reason}). ${instead}`, EXIT.usage)
  try {
    const stats = statSync(file)
    if (!stats.isFile()) throw refusal('not a regular file', 'Copy its content to a file, and name that.')
    if (stats.size > size.mostMiB * 1024 * 1024) throw refusal(`larger than ${size.mostMiB} MiB`, size.remedy)
    const bytes = readFileSync(file)
    // > of Windows PowerShell writes UTF-16; a decoder leaves out the byte order mark of either encoding
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw refusal((error as NodeJS.ErrnoException).code ?? 'unreadable', remedy)
  }
}

/** The JSON files of a folder, by their names; none if it does not exist. */
export function jsonFilesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.json$/i.test(name))
    return names.toSorted().map((name) => join(folder, name))
  } catch {
    return []
  }
}
