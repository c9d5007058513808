import { printableLine } from '../../base/text/printable.ts'
import { indentation } from '../../mock/app/log/statement-log.ts'

/** How lines look: plain, with their time, or as JSON. A server has one of the last two. */
export type LogFormat = 'plain' | 'text' | 'json'

export type Level = 'info' | 'warn' | 'error'

let format: LogFormat = 'plain'
let dropped = 0

/** Chooses the form of all further lines. */
export const useLogFormat = (chosen: LogFormat): void => void (format = chosen)

export const logsJson = (): boolean => format === 'json'

/** Whether this process is a server, whose readers come and go. */
export const isServer = (): boolean => format !== 'plain'

/** A server drops lines while this many bytes wait for a reader. */
const mostUnwritten = 1 << 20

/** The number of lines that could not be written, because a disk was full or a reader had gone or did not read. */
export const droppedLines = (): number => dropped

/** Writes lines to stderr, or drops them: whoever reads them only observes the work. */
export function writeLog(text: string, lines = 1): void {
  if (isServer() && process.stderr.writableLength > mostUnwritten) {
    dropped += lines
    return
  }
  // as bytes, because the stream counts the characters of a text
  process.stderr.write(Buffer.from(text), (error) => {
    if (error) dropped += lines
  })
}

/**
 * A line, without its end. Names of files and texts of others in it cannot control the terminal.
 *
 * @param fields of the JSON; default: the message
 */
export function logLine(message: string, level: Level = 'info', fields: object = { message }): string {
  if (format === 'plain') return printableLine(message)
  const time = new Date().toISOString()
  // an entry begins with its time, so that indented lines belong to the one before
  if (format === 'text') return `${time} ${message.split(indentation).map(printableLine).join(indentation)}`
  return JSON.stringify({ time, level, ...fields }).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped)
}

/** As JSON writes a character that it may leave as it is. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const hex = character.charCodeAt(at).toString(16)
    return String.raw`\u${hex.padStart(4, '0')}`
  }).join('')

/** Prints a line on stderr, in the form of the log. */
export const say = (line: string, level: Level = 'info'): void => writeLog(`${logLine(line, level)}\n`)
