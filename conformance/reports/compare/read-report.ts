import { validators, type ConformanceReport } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'

/** A file does not hold a whole report. */
export class ReportError extends Error {
  override name = 'ReportError'
  /** The run that wrote the file did not end: it counts as failed. */
  readonly cut: boolean
  constructor(message: string, cut = false) {
    super(message)
    this.cut = cut
  }
}

/**
 * Reads what `--report json=FILE` or `ndjson=FILE` wrote; `name` stands for the file in errors.
 *
 * @throws ReportError when the text is neither, is a stream that was cut, or does not fit the schema of reports.
 */
export function readReport(text: string, name: string): ConformanceReport {
  if (text.trim() === '')
    throw new ReportError(`${name} is empty: the run that opened it did not end. Run it again.`, true)
  const value = parse(text)
  const report = value === undefined || typeOf(value) === 'header' ? fromStream(text, name) : value
  const validate = validators.report
  if (validate(report)) return report as ConformanceReport
  const [error] = validate.errors ?? []
  const where = plain(error?.instancePath || 'the document')
  throw new ReportError(
    `${name} is no conformance report: ${where} ${error?.message ?? 'does not fit'}. Name a file that --report json=FILE or ndjson=FILE wrote.`,
  )
}

/** The lines of a stream, put together; see ../reports/ndjson.ts. */
function fromStream(text: string, name: string): unknown {
  const lines = text.split('\n')
  const header = parse(lines[0]!)
  if (typeOf(header) !== 'header')
    throw new ReportError(
      `${name} is no conformance report: it is neither JSON nor a stream of lines. Name a file that --report json=FILE or ndjson=FILE wrote.`,
    )
  const whole = lines.map(parse)
  const at = whole.findIndex((line) => typeOf(line) === 'footer')
  const footer = whole[at] as { lines?: unknown } | undefined
  if (footer === undefined)
    throw new ReportError(
      `${name} was cut: ${lines.length - 1} lines and no footer, so its run counts as failed. Run it again.`,
      true,
    )
  const checks = whole.slice(0, at).filter((line) => typeOf(line) === 'check') as { id: string }[]
  if (
    footer.lines !== at ||
    checks.length !== at - 1 ||
    lines.slice(at + 1).some((line) => line.trim() !== '')
  )
    throw new ReportError(
      `${name} is damaged: its footer counts ${String(footer.lines)} lines, ${checks.length + 1} that can be read stand before it. Run it again.`,
      true,
    )
  const last = new Map(checks.map((check) => [check.id, withoutType(check)]))
  const { lines: _, ...rest } = withoutType(footer)
  return { ...rest, checks: [...last.values()] }
}

function withoutType(line: object): Record<string, unknown> {
  const { type: _, ...rest } = line as Record<string, unknown>
  return rest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined
