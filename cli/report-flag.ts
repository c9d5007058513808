import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'

const FORMATS = ['json', 'junit', 'markdown', 'github', 'html', 'ndjson'] as const

/** One `--report FORMAT=FILE`; `-` is stdout. */
export interface ReportFlag {
  format: (typeof FORMATS)[number]
  file: string
}

/** Collects `--report FORMAT=FILE`. Two reports can share neither a file nor stdout. */
export function reportFlag(text: string, before: ReportFlag[] = []): ReportFlag[] {
  const [format, file] = [
    text.slice(0, text.indexOf('=')) as ReportFlag['format'],
    text.slice(text.indexOf('=') + 1),
  ]
  if (!FORMATS.includes(format) || file === '')
    throw new InvalidArgumentError(
      `Write it as --report json=FILE, with json or one of ${FORMATS.slice(1).join(', ')}; - is stdout.`,
    )
  const path = file === '-' ? file : resolve(file)
  if (before.some((other) => other.file === path))
    throw new InvalidArgumentError(
      `${file === '-' ? 'Stdout' : file} can hold one report. Give each report a file of its own.`,
    )
  return [...before, { format, file: path }]
}
