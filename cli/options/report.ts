import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'

const FORMATS = ['json', 'junit', 'markdown', 'github', 'html', 'ndjson'] as const

/** One `--report FORMAT=FILE`; the file `-` is stdout. */
export interface ReportOption {
  format: (typeof FORMATS)[number]
  file: string
}

/** Collects `--report FORMAT=FILE`. Two reports cannot share a file or stdout. */
export function reportOption(text: string, before: ReportOption[] = []): ReportOption[] {
  const [, format, file] = /^(.*?)=(.+)$/s.exec(text) ?? []
  if (!isFormat(format) || file === undefined)
    throw new InvalidArgumentError(
      `Write FORMAT=FILE. The formats are ${FORMATS.join(', ')}; the file - is stdout.`,
    )
  const path = file === '-' ? file : resolve(file)
  if (before.some((other) => other.file === path))
    throw new InvalidArgumentError(
      `${file === '-' ? 'Stdout' : file} can hold only one report. Name another file.`,
    )
  return [...before, { format, file: path }]
}

const isFormat = (text: string | undefined): text is ReportOption['format'] =>
  FORMATS.includes(text as ReportOption['format'])
