import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { finished, spawnCli } from './cli.ts'
import { startHttpTarget } from './hostile-target.ts'
import { scratch } from './vendor.ts'

/** The heap of the suite, and the memory of its whole process, in MiB. */
const HEAP_MIB = 400
const MOST_MIB = 512

/**
 * A flag of Node: prints the largest memory of the process at its end, for {@link peakOf}. Linux counts the memory of the process
 * that started it in `maxRSS`, and not in its status file.
 */
export const printPeak = `--import=data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs'
  process.on('exit', () => {
    let peak = process.resourceUsage().maxRSS
    try {
      peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    } catch {}
    console.error('peak', peak)
  })`)}`

/** The largest memory of an ended process, MiB. */
export const peakOf = (stderr: string): number => Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024

/**
 * Judges a target with the command line, in a process of limited memory. Expects both reports to be complete, whatever the
 * target sends.
 *
 * @param answer the body of the answer to a request; `n` counts from 1
 */
export async function judgedInLimitedMemory(
  answer: (n: number) => string | Buffer,
): Promise<{ exitCode: number; report: ConformanceReport }> {
  const folder = scratch()
  const target = await startHttpTarget((response, n) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer(n)),
  )
  const [json, ndjson] = [join(folder.dir, 'report.json'), join(folder.dir, 'report.ndjson')]
  const flags = [`--max-old-space-size=${HEAP_MIB}`, printPeak]
  const options = ['--report', `json=${json}`, '--report', `ndjson=${ndjson}`, '--time-limit', '1s']
  try {
    const args = ['conformance', '--base-url', target.baseUrl, '--no-auth', ...options]
    const child = spawnCli(args, undefined, flags)
    const { exitCode, stderr } = await finished(child)
    expect(peakOf(stderr), stderr).toBeLessThan(MOST_MIB)
    const report = JSON.parse(readFileSync(json, 'utf8')) as ConformanceReport
    const lines = readFileSync(ndjson, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: 'footer', verdict: report.verdict })
    expect(report.checks.filter(({ outcome }) => outcome === 'error')).toEqual([])
    return { exitCode, report }
  } finally {
    await target.close()
    folder.remove()
  }
}
