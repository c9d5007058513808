import { printableLine } from '../../schemas/printable.ts'

/** Prints a line on stderr; names of files and texts of others in it cannot control the terminal. */
export const say = (line: string): void => void process.stderr.write(`${printableLine(line)}\n`)
