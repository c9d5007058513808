import { closeSync, openSync, writeSync } from 'node:fs'
import {
  ndjsonStream,
  reportFormats,
  terminalReport,
  type NdjsonStream,
  type StreamHeader,
} from '../conformance/index.ts'
import type { CheckResult, ConformanceReport } from '../schemas/index.ts'
import { CommandError, EXIT } from './exit.ts'
import type { ReportFlag } from './report-flag.ts'

export interface OpenReports {
  /** Tells the streams of a check that has ended. */
  result(result: CheckResult): void
  /** Writes every report: the terminal's to stdout, unless another one is there. */
  publish(report: ConformanceReport): void
  close(): void
}

/**
 * Opens and empties the files before the run: a path that can not be written to is known at once, and what an
 * earlier run left there is never taken for the report of one that broke.
 *
 * @throws CommandError when a file can not be opened or written to.
 */
export function openReports(flags: readonly ReportFlag[], header: StreamHeader): OpenReports {
  const sinks = flags.map(({ format, file }) => ({ format, ...openFile(file) }))
  const streams = sinks
    .filter(({ format }) => format === 'ndjson')
    .map(({ write }): NdjsonStream => ndjsonStream(header, write))
  return {
    result: (result) => streams.forEach((stream) => stream.result(result)),
    publish(report) {
      for (const stream of streams) stream.end(report)
      const terminal = flags.some(({ file }) => file === '-') ? process.stderr : process.stdout
      terminal.write(terminalReport(report, terminal))
      for (const { format, write } of sinks) if (format !== 'ndjson') write(reportFormats[format](report))
    },
    close: () => sinks.forEach(({ close }) => close()),
  }
}

interface File {
  write(text: string): void
  close(): void
}

/** A file to write a report to, or stdout. */
export function openFile(file: string): File {
  if (file === '-') return { write: (text) => void process.stdout.write(text), close: () => {} }
  const descriptor = attempt(file, EXIT.usage, () => openSync(file, 'w'))
  return {
    write: (text) => void attempt(file, EXIT.broken, () => writeAll(descriptor, Buffer.from(text))),
    close: () => closeSync(descriptor),
  }
}

/** A pipe or a full disk may take a part of it. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

function attempt<T>(file: string, exitCode: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CommandError(
      `The output can not be written to ${file} (${(error as NodeJS.ErrnoException).code}). Name a file in a folder that exists and can be written to.`,
      exitCode,
    )
  }
}
