import type { LoggedStatement } from '../../mock/index.ts'
import { type Level, logLine } from '../output/log.ts'

/** A line of the server's log: of a statement, of a failure inside of the server, or a sentence of its engines. */
export function serverLine(message: string, about?: LoggedStatement | Error): string {
  if (about === undefined) return logLine(message)
  if (about instanceof Error) return logLine(message, 'error')
  return logLine(message, levelOf(about), fieldsOf(about))
}

const levelOf = ({ status, state }: LoggedStatement): Level => {
  if (status >= 500) return 'error'
  return state === 'success' ? 'info' : 'warn'
}

/** The members of a line, which docs/operators.md lists: those of the statement, which stands in one line. */
function fieldsOf(about: LoggedStatement): object {
  const { text: _, client: __, sent: ___, got: ____, request: _____, ...fields } = about
  return { ...fields, durationMs: Number(about.durationMs.toFixed(1)) }
}
