import { plain } from '../../../conformance/reports/plain.ts'
import { counts } from '../habits/outcome.ts'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { matrixOf, type MatrixRow } from './matrix.ts'
import { factsOf } from './summary.ts'

/** Sizes in pixels. */
const [CELL, LINE, LABEL, COLUMN, TOP] = [14, 18, 210, 396, 64]
const COLUMNS = 2

/** A colour and a mark: colour must not be the only sign. */
const KINDS = {
  survived: { fill: '#2e8b57', mark: '', text: 'survived' },
  stopped: { fill: '#b3261e', mark: '✕', text: 'stopped, but a client must cope' },
  known: { fill: '#e0a100', mark: '–', text: 'stopped, worth knowing' },
  'not met': { fill: '#c9d1d9', mark: '', text: 'not met by the tests' },
  'not run': { fill: '#ffffff', mark: '', text: 'not run' },
} as const

/** The matrix as a picture: a row for each open point, a cell for each variant. */
export function svgMatrix(unsafe: HabitReport): string {
  const report = plain(unsafe)
  const rows = matrixOf(report)
  const perColumn = Math.ceil(rows.length / COLUMNS)
  const height = TOP + perColumn * LINE + 16
  const placed = rows.map((row, index) => ({
    row,
    x: 16 + Math.floor(index / perColumn) * COLUMN,
    y: TOP + (index % perColumn) * LINE,
  }))
  const ends = placed.map(({ row, x }) => cellAt(x, row.cells.length))
  const width = Math.max(COLUMNS * COLUMN, ...ends) + 16
  const body = placed.map(({ row, x, y }) => rowElement(row, x, y))
  // the duration would make every picture a new one
  const facts = factsOf(report).replace(/;.*/, '')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(`${report.verdict}: ${facts}`)}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600" fill="#1c2126">${escape(`${report.verdict}: ${facts}`)}</text>`,
    ...legend(),
    ...body,
    '</svg>\n',
  ].join('\n')
}

/** The entries in one line, each as wide as its text: about seven pixels a character. */
function legend(): string[] {
  let next = 16
  return Object.values(KINDS)
    .slice(0, 4)
    .map(({ fill, mark, text }) => {
      const x = next
      next += CELL + 30 + 7 * text.length
      return `<g>${cell(x, 34, fill, mark)}<text x="${x + CELL + 6}" y="46" fill="#1c2126">${escape(text)}</text></g>`
    })
}

/** The left edge of a cell in a row that begins at `x`. */
const cellAt = (x: number, index: number): number => x + LABEL + index * (CELL + 2)

const rowElement = ({ name, cells }: MatrixRow, x: number, y: number): string =>
  [
    `<g><text x="${x + LABEL - 8}" y="${y + 11}" text-anchor="end" fill="#1c2126">${escape(name)}</text>`,
    ...cells.map((result, index) => {
      const { fill, mark } = KINDS[kindOf(result)]
      const title = `${result.id}: ${result.outcome}`
      return `<g><title>${escape(title)}</title>${cell(cellAt(x, index), y, fill, mark)}</g>`
    }),
    '</g>',
  ].join('')

function kindOf(result: HabitResult): keyof typeof KINDS {
  if (counts(result)) return 'stopped'
  if (result.outcome === 'stopped' || result.outcome === 'waived') return 'known'
  return result.outcome
}

const cell = (x: number, y: number, fill: string, mark: string): string =>
  `<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" rx="2" fill="${fill}" stroke="#57606a" stroke-width="0.5"/>` +
  (mark &&
    `<text x="${x + CELL / 2}" y="${y + 11}" text-anchor="middle" font-size="11" fill="#ffffff">${mark}</text>`)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
