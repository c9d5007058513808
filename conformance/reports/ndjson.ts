import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'

/** What is known before the first check. */
export type StreamHeader = Pick<ConformanceReport, 'suite' | 'contract' | 'target'>

export interface NdjsonStream {
  /** Writes the line of a check that has ended. */
  result(result: CheckResult): void
  /** Writes the footer; without it the stream says that the run was cut. */
  end(report: ConformanceReport): void
}

/**
 * The report as a stream of lines: `header`, one `check` for each check as it ends, and a `footer` with the verdict
 * and the number of lines before it. Whoever reads a stream without a footer has to take the run as failed. A later
 * line of a check replaces an earlier one: an outcome can change at the end, as when a baseline waives it.
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
