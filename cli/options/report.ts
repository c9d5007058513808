import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { collecting } from './parse.ts'

/** One `--report FORMAT=FILE`; the file `-` is stdout. */
export interface ReportFile<Format extends string> {
  format: Format
  file: string
}

/** Collects `--report FORMAT=FILE`. */
export const reportFiles = <Format extends string>(formats: readonly Format[]) =>
  collecting(
    { separator: '=', file: 'written' },
    (text: string, before: ReportFile<Format>[] = []): ReportFile<Format>[] => {
      const [, name, file] = /^(.*?)=(.+)$/s.exec(text) ?? []
      const format = formats.find((one) => one === name)
      if (format === undefined || file === undefined)
        throw new InvalidArgumentError(
          `Write FORMAT=FILE. The formats are ${formats.join(', ')}; the file - is stdout.`,
        )
      return [...before, { format, file: file === '-' ? file : resolve(file) }]
    },
  )

const FORMATS = ['json', 'junit', 'markdown', 'github', 'html', 'ndjson'] as const

export type ReportOption = ReportFile<(typeof FORMATS)[number]>

/** `--report` of `conformance`. */
export const reportOption = reportFiles(FORMATS)
