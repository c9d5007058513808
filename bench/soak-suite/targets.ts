import { startServer } from '../../mock/index.ts'
import { exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../../e2e/support/vendor.ts'
import { startPostgresVendor, type Written } from './postgres/vendor.ts'
import { soak } from './soak.ts'
import type { Tally } from './tally.ts'

/** The runs of each target; 0 skips it. */
export interface Runs {
  reference: number
  pglite: number
  postgres: number
  writes: number
}

export interface SoakOptions {
  runs: Runs
  /** The scale of the plant in all targets. */
  scale: number
  writesPerSecond: number
  /** Receives progress lines. */
  say: (line: string) => void
}

export interface Soaked {
  tally: Tally
  /** Whether rows were written during the runs. */
  hasWrites: boolean
}

export interface SoakResult {
  soaked: Soaked[]
  /** The concurrent writes. */
  written?: Written
  postgres?: string
  /** Why PostgreSQL was skipped. */
  skipped?: string
}

/** Runs the suite on the targets, one after the other. */
export async function soakTargets({ runs, scale, writesPerSecond, say }: SoakOptions): Promise<SoakResult> {
  const result: SoakResult = { soaked: [] }
  const folder = scratch()
  const soakTarget = async (
    name: string,
    times: number,
    { baseUrl, token }: { baseUrl: string; token: string },
    hasWrites = false,
  ) => {
    if (times === 0) return
    say(`${name}: ${times} runs`)
    const tally = await soak(name, times, { baseUrl, token }, (report, run) => {
      const { fail, warn, error, inconclusive } = report.counts
      say(
        `  ${run}  ${fail} fail, ${warn} warn, ${error} error, ${inconclusive} inconclusive, ${report.durationMs} ms`,
      )
    })
    result.soaked.push({ tally, hasWrites })
  }
  try {
    if (runs.reference > 0) {
      const server = await startServer({ scale })
      await soakTarget('reference', runs.reference, server).finally(() => server.close())
    }
    const fixtures = await exportFixtures(folder.dir, scale)
    if (runs.pglite > 0) {
      const vendor = await startVendor({ fixtures })
      const target = { baseUrl: vendor.baseUrl, token: VENDOR_TOKEN }
      await soakTarget('minimal vendor, PGlite', runs.pglite, target).finally(vendor.stop)
    }
    if (runs.postgres + runs.writes === 0) return result
    const vendor = await startPostgresVendor(fixtures)
    if (typeof vendor === 'string') return { ...result, skipped: vendor }
    try {
      result.postgres = vendor.version
      const target = { baseUrl: vendor.baseUrl, token: VENDOR_TOKEN }
      await soakTarget('minimal vendor, PostgreSQL', runs.postgres, target)
      const stopWriting = await vendor.write(writesPerSecond)
      await soakTarget('minimal vendor, PostgreSQL under writes', runs.writes, target, true)
      result.written = await stopWriting()
    } finally {
      await vendor.stop()
    }
    return result
  } finally {
    folder.remove()
  }
}
