/** What of tests/bench/figures.json is shown, a measure each. */
interface Figure {
  readonly title: string
  readonly what: string
  readonly figure: string
  readonly measured: string
  readonly machine: string
}

/**
 * The text of docs/performance.md with the table of the recorded figures.
 *
 * @param text the page with any table
 * @param recorded tests/bench/figures.json
 */
export function withFigures(text: string, recorded: string): string {
  const figures = JSON.parse(recorded) as Figure[]
  const machines = [...new Set(figures.map(({ machine }) => machine))]
  const rows = figures.map(
    ({ title, what, figure, measured, machine }) =>
      `| ${title} | ${what} | ${figure} | ${measured} | ${machines.indexOf(machine) + 1} |`,
  )
  const head = '| Benchmark | Measure | Figure | Measured | Machine |\n|---|---|---|---|---|'
  const list = machines.map((machine, at) => `${at + 1}. ${machine}`)
  return text.replace(/^\|[^]*?(?=\n\n\D)/m, () => [head, ...rows, '', ...list].join('\n'))
}
