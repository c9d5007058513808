import {
  ndjsonStream,
  reportFormats,
  terminalReport,
  type NdjsonStream,
  type StreamHeader,
} from '../../conformance/index.ts'
import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import type { ReportOption } from '../options/report.ts'
import { openFile } from '../files/output-file.ts'

export interface OpenReports {
  /** Appends the result of one check to the streams. */
  result(result: CheckResult): void
  /** Writes every report. The terminal report goes to stdout, or to stderr if another report uses stdout. */
  publish(report: ConformanceReport, allowIncomplete?: boolean): void
}

/**
 * Opens the files before the run, so that an unwritable path fails at once. A stream begins with the first result, since a run
 * whose options are wrong has none and must leave the files as they are.
 *
 * @throws CommandError if a file cannot be opened or written
 */
export function openReports(options: readonly ReportOption[], header: StreamHeader): OpenReports {
  const sinks = options.map(({ format, file }) => ({ format, ...openFile(file) }))
  let begun: NdjsonStream[] | undefined
  const streams = () =>
    (begun ??= sinks
      .filter(({ format }) => format === 'ndjson')
      .map(({ write }) => ndjsonStream(header, write)))
  return {
    result: (result) => streams().forEach((stream) => stream.result(result)),
    publish(report, allowIncomplete = false) {
      const terminal = options.some(({ file }) => file === '-') ? process.stderr : process.stdout
      const writes = [
        ...streams().map((stream) => () => stream.end(report)),
        () => void terminal.write(terminalReport(report, terminal)),
        ...sinks.flatMap(({ format, write }) =>
          format === 'ndjson' ? [] : [() => write(reportFormats[format](report, allowIncomplete))],
        ),
      ]
      // One that cannot be written does not prevent the others.
      const errors = writes.flatMap((write) => {
        try {
          write()
          return []
        } catch (error) {
          return [error]
        }
      })
      if (errors.length > 0) throw errors[0]
    },
  }
}
