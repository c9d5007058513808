/** What of tests/bench/figures.json is shown, a measure each. */
interface Figure {
  readonly title: string
  readonly what: string
  readonly figure: string
  readonly measured: string
}

/**
 * The text of docs/performance.md with the table of the recorded figures.
 *
 * @param text the page with any table
 * @param recorded tests/bench/figures.json
 */
export function withFigures(text: string, recorded: string): string {
  const rows = (JSON.parse(recorded) as Figure[]).map(
    ({ title, what, figure, measured }) => `| ${title} | ${what} | ${figure} | ${measured} |`,
  )
  const head = '| Benchmark | Measure | Figure | Measured |\n|---|---|---|---|'
  return text.replace(/^\|[^]*\|$/m, () => [head, ...rows].join('\n'))
}
