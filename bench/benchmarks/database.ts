import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { TestDatabase } from '../../e2e/support/postgres/database.ts'
import { missingPrograms } from '../../e2e/support/postgres/programs.ts'
import { testPassword } from '../../e2e/support/postgres/server.ts'
import { layoutOf } from '../../mock/node/postgres/load/layout.ts'
import { views } from '../../schemas/views.ts'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { onAllCores } from '../harness/cores.ts'
import { repository, scratch } from '../harness/folders.ts'
import { closedLoad } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { cpuMs, forgetPeak, peakResidentMb, residentMb } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

const plant = { seed: 1, asOf: '2026-01-01T00:00:00Z' }
/** Loading is measured at the larger scale: at the smaller one, V8 compiles for half of the time. */
const [loaded, served] = [10, 1]
const statement = 'SELECT * FROM v_timeseries_data LIMIT 500000'
const [runs, rounds] = [5, 3]

/** Waits until the server has written what it owes, which would slow down the next measurement. */
const settle = (database: TestDatabase) => database.primary.sql('CHECKPOINT')

/** Loads files of the plant with psql into a database of its own. @returns seconds */
async function copyFromFiles(database: TestDatabase, dir: string): Promise<number> {
  await database.primary.sql('CREATE DATABASE copied OWNER loader')
  const { createTables, createIndexes } = layoutOf('public')
  const run = (sql: string) => database.primary.sql(sql, 'loader', 'copied')
  for (const sql of ['CREATE SCHEMA plant', ...createTables]) await run(sql)
  await settle(database)
  const started = performance.now()
  for (const { name } of views)
    execFileSync('psql', ['-q', '-f', join(dir, `${name}.sql`), database.primary.url('loader', 'copied')])
  for (const sql of createIndexes) await run(sql)
  const seconds = (performance.now() - started) / 1000
  await database.primary.sql('DROP DATABASE copied')
  return seconds
}

/** Runs `fixtures` of the built command on the plant. @returns seconds */
function fixtures(scale: number, ...args: string[]): number {
  const started = performance.now()
  const { seed, asOf } = plant
  const dataset = ['--seed', String(seed), '--scale', String(scale), '--as-of', asOf]
  execFileSync(
    process.execPath,
    [join(repository, 'dist', 'cli', 'main.js'), 'fixtures', ...args, ...dataset],
    {
      env: { ...process.env, BIOPROCESS_SQL_READER_PASSWORD: testPassword },
      stdio: 'ignore',
    },
  )
  return (performance.now() - started) / 1000
}

const load = (database: TestDatabase, scale: number) =>
  fixtures(scale, 'load', '--restart', '--database', database.ownerUrl)

/** Seconds to simulate the plant into files, to copy these, and to load the plant, in turns. */
async function loading(database: TestDatabase) {
  const dir = join(scratch, 'copy')
  const times = { exported: [] as number[], copied: [] as number[], loaded: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rmSync(dir, { recursive: true, force: true })
    times.exported.push(fixtures(loaded, 'export', '--format', 'sql', '--out', dir))
    times.copied.push(await copyFromFiles(database, dir))
    await settle(database)
    times.loaded.push(load(database, loaded))
  }
  rmSync(dir, { recursive: true })
  return { exported: median(times.exported), copied: median(times.copied), loaded: median(times.loaded) }
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
  title: `A plant loaded into PostgreSQL, scale ${loaded}, and the server over it, scale ${served}`,
  onDemand: true,
  async run() {
    const missing = missingPrograms()
    if (missing) throw new Error(missing)
    const server = await onAllCores(() => TestDatabase.start(['max_wal_size=4GB', 'shared_buffers=512MB']))
    try {
      const times = await onAllCores(() => loading(server))
      await onAllCores(async () => load(server, served))
      const flags = ['--database', server.readerUrl()]
      const big = await bigResult(flags)
      const embedded = await bigResult(['--scale', String(served)])
      const [own, others]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        own.push(await cpuPerRequest(flags))
        others.push(await cpuPerRequest([]))
      }
      const [cpu, cpuEmbedded] = [median(own), median(others)]
      return {
        measures: [
          {
            what: 'loading, the simulation included',
            value: times.copied / times.loaded,
            unit: 'x psql from files that exist',
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
          `Loading took ${short(times.loaded)} s, an export to files ${short(times.exported)} s, psql from these ${short(times.copied)} s. PostgreSQL shares the machine.`,
        ],
      }
    } finally {
      await server.stop()
    }
  },
}
