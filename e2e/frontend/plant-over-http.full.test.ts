import { afterAll, beforeAll, expect, test } from 'vitest'
import { quantile } from '../../fixtures/distributions/quantile.ts'
import { runFigures, type RunFigures } from '../../fixtures/distributions/run-figures.ts'
import { startServer, type Server } from '../../mock/index.ts'
import type { ViewName, ViewRows } from '../../schemas/index.ts'
import { ask } from '../support/ask.ts'

/**
 * 300 E. coli runs, read over HTTP like any client. The percentiles 5, 50 and 95 of figures that an engineer calculates from
 * the rows must agree with those of real processes, each within 10 %.
 */
type Figure = 'endHours' | 'finalBiomass' | 'finalTiter' | 'peakOxygenUptake'
const PERCENTILES: [Figure, string, number, number, number][] = [
  ['endHours', 'length of the run, h', 25, 30, 38],
  ['finalBiomass', 'final DCW, g/L', 32, 49, 66],
  ['finalTiter', 'final titer, g/L', 2.2, 3.9, 5.5],
  ['peakOxygenUptake', 'peak OUR, mmol/L/h', 83, 154, 271],
]

let server: Server
let figures: RunFigures[]

beforeAll(async () => {
  server = await startServer({ runs: 340, scale: 0.01, process: 'ecoli' })
  const tables = {
    v_bioprocesses: await read('v_bioprocesses'),
    v_bioprocess_quantity_data: await read('v_bioprocess_quantity_data'),
    v_quantities: await read('v_quantities'),
    v_timeseries: await read('v_timeseries'),
    v_timeseries_data: await read('v_timeseries_data'),
  }
  figures = runFigures((view) => tables[view])
}, 240_000)
afterAll(() => server.close())

/** Rows have an order only with ORDER BY. */
const orders: { [V in ViewName]?: string } = { v_timeseries_data: ' ORDER BY id, timestamp' }

async function read<V extends ViewName>(view: V): Promise<ViewRows[V][]> {
  const { rows, state } = await ask(server, `SELECT * FROM ${view}${orders[view] ?? ''}`)
  expect(state).toBe('success')
  return rows as unknown as ViewRows[V][]
}

const all = (figure: keyof RunFigures) => figures.map((run) => run[figure] as number)

test('most of the 300 runs are completed and passed quality control', () => {
  expect(figures.length).toBeGreaterThan(200)
})

test.each(PERCENTILES)(
  'the percentiles of %s (%s) are those of real processes',
  (figure, _, low, middle, high) => {
    const values = all(figure)
    for (const [share, expected] of [
      [0.05, low],
      [0.5, middle],
      [0.95, high],
    ] as const) {
      const seen = quantile(values, share)
      expect(Math.abs(seen / expected - 1), `${share}: ${seen} for ${expected}`).toBeLessThan(0.1)
    }
  },
)

test('the median respiratory quotient is that of growth on glucose', () => {
  expect(quantile(all('respiratoryQuotient'), 0.5)).toBeGreaterThan(1.03)
  expect(quantile(all('respiratoryQuotient'), 0.5)).toBeLessThan(1.11)
})

test('the carbon recovery of every run is 90 to 110 percent', () => {
  const recoveries = all('carbonRecovery')
  expect(Math.min(...recoveries)).toBeGreaterThan(0.9)
  expect(Math.max(...recoveries)).toBeLessThan(1.1)
})

test('the volume of every run is its feeds less its samples within 2 percent', () => {
  const balances = all('volumeBalance')
  expect(Math.min(...balances)).toBeGreaterThan(0.98)
  expect(Math.max(...balances)).toBeLessThan(1.02)
})
