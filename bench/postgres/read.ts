import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createFolder, missingPrograms, removeFolder } from '../../e2e/support/postgres/programs.ts'
import { superuser, TestServer } from '../../e2e/support/postgres/server.ts'
import { ddl } from '../../schemas/generated/ddl.ts'
import { median, short } from '../harness/numbers.ts'
import { ways } from './ways.ts'

/** Half a million points of PostgreSQL as JSON, in several ways beside a socket that only reads them. `tsx bench/postgres/read.ts` */
const [rows, runs] = [500_000, 7]
const missing = missingPrograms()
if (missing) throw new Error(missing)

const points = `INSERT INTO plant.timeseries_data
  SELECT substr(md5((i / 1700)::text), 1, 24), '2025-01-01Z'::timestamptz + i * interval '30 s',
    round((10 * random())::numeric, 4), NULL, '2025-06-01Z'::timestamptz
  FROM generate_series(1, ${rows}) i`
const folder = createFolder()
const server = await TestServer.primary(folder)
try {
  await server.sql(ddl)
  await server.sql(points)
  await server.sql('VACUUM (ANALYZE) plant.timeseries_data')
  const statement = `SELECT * FROM v_timeseries_data LIMIT ${rows}`
  const found: Record<string, string | number>[] = []
  let floor = 0
  for (const way of Object.keys(ways)) {
    const { times, bytes, cpuMs, peakMb } = JSON.parse(
      execFileSync(
        process.execPath,
        [
          '--import',
          'tsx',
          fileURLToPath(new URL('read-child.ts', import.meta.url)),
          way,
          server.url(superuser),
          statement,
          String(runs),
        ],
        { encoding: 'utf8', maxBuffer: 1 << 20 },
      ),
    ) as { times: number[]; bytes: number; cpuMs: number; peakMb: number }
    const ms = median(times)
    if (way === 'socket') floor = ms
    found.push({
      way,
      ms: short(ms),
      'MB made': short(bytes / 1e6),
      'MB/s': short(bytes / 1000 / ms),
      'of the socket': short(floor / ms),
      'CPU, ms': short(cpuMs),
      'peak over idle, MB': short(peakMb),
    })
  }
  console.table(found)
} finally {
  await server.kill()
  removeFolder(folder)
}
