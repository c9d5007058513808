import { CommandError, EXIT } from '../../exit.ts'
import { readJsonObject } from '../../options/config.ts'

interface Types {
  object: Readonly<Record<string, unknown>>
  array: readonly unknown[]
  string: string
  number: number
}

/**
 * Reads a value of a HAR file by its path, such as `log.entries[3].response`.
 *
 * @throws CommandError with the path if the value is missing or has another type
 */
export type Reader = <T extends keyof Types>(path: string, type: T) => Types[T]

/** The values of a file take several times its size, and Node has 2 GiB on a machine of 4 GiB. */
const size = {
  mostMiB: 256,
  remedy: 'Record less: in several files, or statements alone with the urlFilter of Playwright.',
}

export const refusal = (problem: string) =>
  new CommandError(`The file is not HAR 1.2: ${problem}. Export the traffic again.`, EXIT.usage)

/** @throws CommandError if the file cannot be read, is too large or is no JSON object */
export function readHar(file: string): Reader {
  const har: unknown = readJsonObject(file, 'HAR file', size)
  const read: Reader = (path, type) => {
    const names = path.split(/[.[\]]+/).filter((name) => name !== '')
    const value = names.reduce((of, name) => (Object(of) as Types['object'])[name], har)
    const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    if (actual === type) return value as never
    throw refusal(`${path} is ${value === undefined ? 'missing' : `of the type ${actual}, not ${type}`}`)
  }
  read('log', 'object')
  return read
}
