import { quantile } from 'simple-statistics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from '../../../mock/index.ts'
import { carbonRecovery, quotient, volumeBalance } from '../../proof/distributions/figures.ts'
import { soundRuns, type SoundRun } from '../../proof/distributions/sound-runs.ts'
import { ecoli } from '../../proof/distributions/table.ts'
import type { ViewName, ViewRows } from '../../../schemas/index.ts'
import { ask } from '../support/ask.ts'

/**
 * 300 E. coli runs, read over HTTP like any client. The percentiles 5, 50 and 95 of figures that an engineer calculates from
 * the rows must agree with those of real processes, each within 11 %.
 */
const percentiles = ecoli.filter(({ expected, reason }) => expected?.length === 3 && reason === undefined)

let server: Server
let runs: SoundRun[]

beforeAll(async () => {
  server = await startServer({ runs: 340, scale: 0.01, process: 'ecoli' })
  const tables = {
    v_bioprocesses: await read('v_bioprocesses'),
    v_bioprocess_quantity_data: await read('v_bioprocess_quantity_data'),
    v_quantities: await read('v_quantities'),
    v_timeseries: await read('v_timeseries'),
    v_timeseries_data: await read('v_timeseries_data'),
  }
  runs = soundRuns([{ rows: (view) => tables[view] }])
}, 240_000)
afterAll(() => server.close())

/** Rows have an order only with ORDER BY. */
const orders: { [V in ViewName]?: string } = { v_timeseries_data: ' ORDER BY id, timestamp' }

async function read<V extends ViewName>(view: V): Promise<ViewRows[V][]> {
  const { rows, state } = await ask(server, `SELECT * FROM ${view}${orders[view] ?? ''}`)
  expect(state).toBe('success')
  return rows as unknown as ViewRows[V][]
}

test('most of the 300 runs are completed and passed quality control', () => {
  expect(runs.length).toBeGreaterThan(200)
})

test.each(percentiles)(
  'the percentiles of the $label are those of real processes',
  ({ values, expected }) => {
    const seen = quantile(values(runs), [0.05, 0.5, 0.95])
    for (const [i, value] of expected!.entries())
      expect(Math.abs(seen[i]! / value - 1), `${seen[i]} for ${value}`).toBeLessThan(0.11)
  },
)

test('the median respiratory quotient is that of growth on glucose', () => {
  const median = quantile(runs.map(quotient), 0.5)
  expect(median).toBeGreaterThan(1.03)
  expect(median).toBeLessThan(1.11)
})

test('the carbon recovery of every run without an outage of its analyser is 90 to 110 percent', () => {
  const recoveries = runs.map(carbonRecovery).filter(Number.isFinite)
  expect(recoveries.length / runs.length).toBeGreaterThan(0.9)
  expect(Math.min(...recoveries)).toBeGreaterThan(0.9)
  expect(Math.max(...recoveries)).toBeLessThan(1.1)
})

test('the volume of every run is its feeds less its samples within 2 percent', () => {
  const balances = runs.map(volumeBalance)
  expect(Math.min(...balances)).toBeGreaterThan(0.98)
  expect(Math.max(...balances)).toBeLessThan(1.02)
})
