/** A measured value of tests/bench/figures.json. */
export interface Figure {
  readonly benchmark: string
  readonly title: string
  readonly what: string
  /** The value with its unit: `0.417 x Prism`. */
  readonly figure: string
  /** The day, `YYYY-MM-DD`. */
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
