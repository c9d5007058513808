import type { CheckResult } from '../../schemas/index.ts'
import { requirementRows, type RequirementRow } from './requirement-rows.ts'
import type { Paint } from './paint.ts'
import { SYMBOLS } from './symbols.ts'

/** The table of requirements for a terminal of `width` characters. */
export function requirementTable(results: readonly CheckResult[], paint: Paint, width: number): string {
  const rows = requirementRows(results)
  const widest = (key: keyof RequirementRow) => Math.max(...rows.map((row) => row[key].length))
  const [requirement, level] = [widest('requirement'), widest('level')]
  const place = Math.min(widest('place'), 56)
  return rows
    .map((row) => {
      const { mark, style } = SYMBOLS[row.outcome]
      const left = `${row.requirement.padEnd(requirement)}  ${row.level.padEnd(level)}  ${cut(row.place, place).padEnd(place)}  `
      return ` ${paint(style, mark)} ${left}${cut(row.found, Math.max(20, width - left.length - 4))}`
    })
    .join('\n')
}

const cut = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
