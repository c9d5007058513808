/**
 * A file does not contain a complete report.
 * @example if (error instanceof ReportError && error.cut) console.error('The run did not end.')
 */
export class ReportError extends Error {
  override name = 'ReportError'
  /** The file is truncated: its run did not end and counts as failed. */
  readonly cut: boolean
  constructor(message: string, cut = false) {
    super(message)
    this.cut = cut
  }
}

/**
 * The report in a file of `--report json=FILE` or `ndjson=FILE`. Its members are not checked; `readReport` does that.
 *
 * @param name names the file in errors
 * @throws ReportError when the text is neither, or a truncated stream
 */
export function parseReport(text: string, name: string): unknown {
  if (text.trim() === '') throw new ReportError(`${name} is empty: its run did not end. Run it again.`, true)
  const value = parse(text)
  return value === undefined || typeOf(value) === 'header' ? fromStream(text, name) : value
}

/** Assembles a report from the lines of a stream; see ../ndjson.ts. */
function fromStream(text: string, name: string): unknown {
  const lines = text.split('\n')
  const header = parse(lines[0]!)
  if (typeOf(header) !== 'header')
    throw new ReportError(
      `${name} is not a conformance report: it is neither JSON nor NDJSON. Pass a file of --report json=FILE or ndjson=FILE.`,
    )
  const whole = lines.map(parse)
  const at = whole.findIndex((line) => typeOf(line) === 'footer')
  const footer = whole[at] as { lines?: unknown } | undefined
  if (footer === undefined)
    throw new ReportError(
      `${name} is truncated: it has ${lines.length - 1} lines and no footer, so its run counts as failed. Run it again.`,
      true,
    )
  const checks = whole.slice(0, at).filter((line) => typeOf(line) === 'check') as { id: string }[]
  if (
    footer.lines !== at ||
    checks.length !== at - 1 ||
    lines.slice(at + 1).some((line) => line.trim() !== '')
  )
    throw new ReportError(
      `${name} is damaged: its footer counts ${String(footer.lines)} lines, but ${checks.length + 1} readable lines precede it. Run it again.`,
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
