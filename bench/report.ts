import { type Benchmark, type Findings, mark, type Measure } from './benchmark.ts'
import { short } from './harness/numbers.ts'

/** One benchmark that ran, or could not. */
export interface Ran {
  readonly benchmark: Benchmark
  readonly findings?: Findings
  /** Why there are no findings. */
  readonly failure?: string
  /** Share of the machine that strangers took meanwhile, 0 to 1. */
  readonly strangers: number
}

/** Where strangers took more of the machine than this, a mark may be theirs: a slow baseline flatters a ratio. */
const noisy = 0.2

/** All figures with their targets as a Markdown table. */
export function targetTable(ran: readonly Ran[]): string {
  const rows = ran.flatMap(({ benchmark, findings, failure, strangers }) => {
    const others = `${Math.round(strangers * 100)} %`
    if (!findings) return [[benchmark.name, failure ?? '', '', '', '', '**not measured**', others]]
    return findings.measures.map((measure) => {
      const cells = cellsOf(measure)
      const found = cells.pop()
      return [benchmark.name, ...cells, found && strangers > noisy ? `${found} (noisy)` : found!, others]
    })
  })
  return table(['benchmark', 'what', 'value', 'must', 'stretch', 'mark', 'others took'], rows)
}

/** What the figures of one benchmark rest on; nothing where they speak for themselves. */
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

/** One sentence: which targets are missed. */
export function verdict(ran: readonly Ran[]): string {
  const missed = ran.flatMap(({ benchmark, findings }) =>
    (findings?.measures ?? [])
      .filter((measure) => mark(measure) === 'missed')
      .map(({ what }) => `${benchmark.name} (${what})`),
  )
  const unknown = ran.filter(({ findings }) => !findings).map(({ benchmark }) => benchmark.name)
  return [
    missed.length === 0 ? 'No target that was measured is missed.' : `Missed: ${missed.join('; ')}.`,
    ...(unknown.length > 0 ? [`Not measured: ${unknown.join(', ')}.`] : []),
  ].join(' ')
}

function cellsOf(measure: Measure): string[] {
  const { what, value, unit, must, stretch, more } = measure
  const bound = (target?: number) => (target === undefined ? '' : `${more ? '>=' : '<='} ${target}`)
  const found = mark(measure)
  return [
    what,
    `${short(value)} ${unit}`.trim(),
    bound(must),
    bound(stretch),
    found === 'missed' ? '**missed**' : found,
  ]
}

/** Columns padded, so that it reads well in a terminal too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
