import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'

/** The facts known before the first check. */
export type StreamHeader = Pick<ConformanceReport, 'suite' | 'contract' | 'target'>

export interface NdjsonStream {
  /** Writes the line of a finished check. */
  result(result: CheckResult): void
  /** Writes the footer. A stream without a footer is truncated. */
  end(report: ConformanceReport): void
}

/**
 * The report as NDJSON: a `header`, a `check` for each finished check, and a `footer` with the verdict and the number
 * of lines before it. A reader must treat a stream without a footer as a failed run. A later line of a check replaces
 * an earlier one, because an outcome can change at the end, for example if a baseline waives it.
 *
 * @example
 * const stream = ndjsonStream(report, (line) => process.stdout.write(line))
 * for (const check of report.checks) stream.result(check)
 * stream.end(report)
 */
export function ndjsonStream(header: StreamHeader, write: (line: string) => void): NdjsonStream {
  let lines = 0
  const written = new Map<string, string>()
  const put = (line: string) => {
    write(`${line}\n`)
    lines++
  }
  const result = (result: CheckResult) => {
    const line = JSON.stringify({ type: 'check', ...result })
    if (written.get(result.id) === line) return
    put(line)
    written.set(result.id, line)
  }
  put(JSON.stringify({ type: 'header', ...header, openedAt: new Date().toISOString() }))
  return {
    result,
    end(report) {
      report.checks.forEach(result)
      const { checks: _, ...rest } = report
      put(JSON.stringify({ type: 'footer', lines, ...rest }))
    },
  }
}
