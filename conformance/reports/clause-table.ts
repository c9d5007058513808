import type { CheckResult } from '../../schemas/index.ts'
import { clauseRows, type ClauseRow } from './clause-rows.ts'
import { SYMBOLS, type Paint } from './paint.ts'

/** The clause table for a terminal that is `width` characters wide. */
export function clauseTable(results: readonly CheckResult[], paint: Paint, width: number): string {
  const rows = clauseRows(results)
  const wide = (key: keyof ClauseRow) => Math.max(...rows.map((row) => row[key].length))
  const [requirement, level] = [wide('requirement'), wide('level')]
  const clause = Math.min(wide('clause'), 56)
  return rows
    .map((row) => {
      const { mark, style } = SYMBOLS[row.outcome]
      const left = `${row.requirement.padEnd(requirement)}  ${row.level.padEnd(level)}  ${cut(row.clause, clause).padEnd(clause)}  `
      return ` ${paint(style, mark)} ${left}${cut(row.found, Math.max(20, width - left.length - 4))}`
    })
    .join('\n')
}

const cut = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
