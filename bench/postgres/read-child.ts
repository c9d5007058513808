import { readFileSync, writeFileSync } from 'node:fs'
import { ways } from './ways.ts'

const [way, url, statement, runs] = process.argv.slice(2) as [string, string, string, string]

const memoryOf = (field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1000

/** Reads a statement several times in one way; prints milliseconds, bytes and the peak of memory over that at the start. */
const read = await ways[way]!(url)
await read(`SELECT * FROM (${statement}) few LIMIT 10`)
const idle = memoryOf('VmRSS')
writeFileSync('/proc/self/clear_refs', '5')
const times: number[] = []
let bytes = 0
const cpu = process.cpuUsage()
for (let run = 0; run < Number(runs); run++) {
  const started = performance.now()
  bytes = await read(statement)
  times.push(performance.now() - started)
}
const { user, system } = process.cpuUsage(cpu)
const cpuMs = (user + system) / 1000 / Number(runs)
process.stdout.write(JSON.stringify({ times, bytes, cpuMs, peakMb: memoryOf('VmHWM') - idle }))
process.exit(0)
