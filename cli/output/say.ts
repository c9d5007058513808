import { type Level, logLine, writeLog } from './log.ts'

/** Prints a line on stderr, in the form of the log. */
export const say = (line: string, level: Level = 'info'): void => writeLog(`${logLine(line, level)}\n`)
