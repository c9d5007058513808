import { type Benchmark, type Findings, mark, type Measure } from './benchmark.ts'
import { short } from './harness/numbers.ts'

/** A benchmark with its result or its failure. */
export interface Ran {
  readonly benchmark: Benchmark
  readonly findings?: Findings
  /** The error message if the benchmark failed. */
  readonly failure?: string
  /** Share of processor time that other processes took, 0 to 1. */
  readonly others: number
}

/** The share of other processes above which a measure is unreliable. */
export const noisy = 0.2

/** All measures with their targets as a Markdown table. */
export function targetTable(ran: readonly Ran[]): string {
  const rows = ran.flatMap(({ benchmark, findings, failure, others }) => {
    const share = `${Math.round(others * 100)} %`
    if (!findings) return [[benchmark.name, failure ?? '', '', '', '', '**not measured**', share]]
    return findings.measures.map((measure) => {
      const cells = cellsOf(measure)
      const found = cells.pop()
      return [benchmark.name, ...cells, found && others > noisy ? `${found} (noisy)` : found!, share]
    })
  })
  return table(['benchmark', 'what', 'value', 'must', 'stretch', 'mark', 'others took'], rows)
}

/** The evidence and the notes of a benchmark as Markdown; empty if it has none. */
export function evidenceOf({ benchmark, findings }: Ran): string[] {
  const { evidence = [], notes = [] } = findings ?? {}
  const parts = [...notes]
  const [first] = evidence
  if (first)
    parts.push(
      table(
        Object.keys(first),
        evidence.map((row) => Object.values(row).map(String)),
      ),
    )
  return parts.length > 0 ? [`### ${benchmark.title} (\`${benchmark.name}\`)`, ...parts] : []
}

/** A sentence that lists the missed targets. */
export function verdict(ran: readonly Ran[]): string {
  const missed = ran.flatMap(({ benchmark, findings }) =>
    (findings?.measures ?? [])
      .filter((measure) => mark(measure) === 'missed')
      .map(({ what }) => `${benchmark.name} (${what})`),
  )
  const unknown = ran.filter(({ findings }) => !findings).map(({ benchmark }) => benchmark.name)
  return [
    missed.length === 0 ? 'No measured target is missed.' : `Missed: ${missed.join('; ')}.`,
    ...(unknown.length > 0 ? [`Not measured: ${unknown.join(', ')}.`] : []),
  ].join(' ')
}

/** A value with its unit. */
export const figureOf = ({ value, unit }: Measure): string => `${short(value)} ${unit}`.trim()

function cellsOf(measure: Measure): string[] {
  const { what, must, stretch, more } = measure
  const bound = (target?: number) => (target === undefined ? '' : `${more ? '>=' : '<='} ${target}`)
  const found = mark(measure)
  return [what, figureOf(measure), bound(must), bound(stretch), found === 'missed' ? '**missed**' : found]
}

/** A Markdown table with padded columns, readable in a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
