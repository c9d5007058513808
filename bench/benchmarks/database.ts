import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TestDatabase } from '../../e2e/support/postgres/database.ts'
import { missingPrograms } from '../../e2e/support/postgres/programs.ts'
import { testPassword } from '../../e2e/support/postgres/server.ts'
import { exportDataset } from '../../fixtures/export/index.ts'
import { loadPlant } from '../../mock/node/postgres/load/index.ts'
import { layoutOf } from '../../mock/node/postgres/load/layout.ts'
import { views } from '../../schemas/views.ts'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { scratch } from '../harness/folders.ts'
import { closedLoad } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { cpuMs, forgetPeak, peakResidentMb, residentMb } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

const plant = { seed: 1, scale: 1, asOf: '2026-01-01T00:00:00Z' }
const statement = 'SELECT * FROM v_timeseries_data LIMIT 500000'
const runs = 5

/** Loads the plant with psql from files that exist already. @returns seconds */
async function copyFromFiles(database: TestDatabase): Promise<number> {
  const dir = join(scratch, 'copy')
  if (existsSync(dir)) rmSync(dir, { recursive: true })
  await exportDataset(plant, { format: 'sql', dir, version: 'bench', threads: 2 })
  await database.primary.sql('CREATE DATABASE copied OWNER loader')
  const { createTables, createIndexes } = layoutOf('public')
  const run = (sql: string) => database.primary.sql(sql, 'loader', 'copied')
  for (const sql of ['CREATE SCHEMA plant', ...createTables]) await run(sql)
  const started = performance.now()
  for (const { name } of views)
    execFileSync('psql', ['-q', '-f', join(dir, `${name}.sql`), database.primary.url('loader', 'copied')])
  for (const sql of createIndexes) await run(sql)
  const seconds = (performance.now() - started) / 1000
  rmSync(dir, { recursive: true })
  return seconds
}

/** CPU of the server for a small statement in microseconds, without that of PostgreSQL. */
const cpuPerRequest = (flags: readonly string[]) =>
  withServer(ours(...flags), async (server) => {
    await closedLoad(server, { requests: 2500, connections: 10, withinMs: 5000, from: 1 })
    const before = cpuMs(server.pid)
    const { requests } = await closedLoad(server, {
      requests: 5000,
      connections: 10,
      withinMs: 8000,
      from: 10_001,
    })
    return ((cpuMs(server.pid) - before) * 1000) / requests
  })

const bigResult = (flags: readonly string[]) =>
  withServer(ours(...flags), async (server) => {
    const idle = residentMb(server.pid)
    forgetPeak(server.pid)
    const rates: number[] = []
    for (let run = 0; run < runs; run++) {
      const { status, bytes, ms } = await ask(server, statement)
      if (status !== 200) throw new Error(`The statement got status ${status}.`)
      rates.push(bytes / 1000 / ms)
    }
    return { rate: median(rates), peak: peakResidentMb(server.pid) - idle, idle }
  })

/** The server over PostgreSQL on the same machine. `read.ts` in bench/postgres compares ways to read. */
export const database: Benchmark = {
  name: 'database',
  title: 'The server over PostgreSQL, scale 1',
  onDemand: true,
  async run() {
    const missing = missingPrograms()
    if (missing) throw new Error(missing)
    const server = await TestDatabase.start(['max_wal_size=4GB', 'shared_buffers=512MB'])
    try {
      const copied = await copyFromFiles(server)
      const started = performance.now()
      const { rows } = await loadPlant(plant, {
        url: server.ownerUrl,
        version: 'bench',
        readerPassword: testPassword,
        threads: 2,
      })
      const loaded = (performance.now() - started) / 1000
      const flags = ['--database', server.readerUrl()]
      const big = await bigResult(flags)
      const embedded = await bigResult(['--scale', '1'])
      const [cpu, cpuEmbedded] = [await cpuPerRequest(flags), await cpuPerRequest([])]
      return {
        measures: [
          {
            what: 'loading, with the simulation',
            value: copied / loaded,
            unit: 'x psql from files',
            must: 0.8,
            more: true,
          },
          { what: 'rate of 500,000 rows over HTTP', value: big.rate, unit: 'MB/s', must: 60, more: true },
          { what: 'peak RSS over idle', value: big.peak, unit: 'MB', must: 64 },
          { what: 'CPU per request of our process', value: cpu / cpuEmbedded, unit: 'x embedded', must: 1 },
        ],
        evidence: [
          {
            engine: 'PostgreSQL',
            'MB/s': short(big.rate),
            'idle, MB': short(big.idle),
            'over idle, MB': short(big.peak),
            'CPU per request, us': short(cpu),
          },
          {
            engine: 'embedded',
            'MB/s': short(embedded.rate),
            'idle, MB': short(embedded.idle),
            'over idle, MB': short(embedded.peak),
            'CPU per request, us': short(cpuEmbedded),
          },
        ],
        notes: [
          `Loading ${rows} rows took ${short(loaded)} s, psql ${short(copied)} s without the simulation. PostgreSQL shares the machine.`,
        ],
      }
    } finally {
      await server.stop()
    }
  },
}
