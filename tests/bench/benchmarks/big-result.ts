import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { median, short } from '../harness/numbers.ts'
import { forgetPeak, peakResidentMb, residentMb } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

const statement = 'SELECT * FROM v_timeseries_data LIMIT 500000'
const runs = 5

/** Half a million points over HTTP, uncompressed. */
export const bigResult: Benchmark = {
  name: 'big-result',
  title: 'Half a million points, scale 1, no gzip',
  run: () =>
    withServer(ours('--scale', '1', '--time-limit', '30s'), async (server) => {
      await sleep(4000) // until the spare engine has started
      const idle = residentMb(server.pid)
      forgetPeak(server.pid)
      const replies = []
      for (let run = 0; run < runs; run++) replies.push(await ask(server, statement))
      const broken = replies.find(({ status }) => status !== 200)
      if (broken) throw new Error(`The statement got status ${broken.status}.`)
      const rates = replies.map(({ bytes, ms }) => bytes / 1000 / ms)
      return {
        measures: [
          { what: 'rate', value: median(rates), unit: 'MB/s', must: 100, more: true },
          {
            what: 'first byte',
            value: median(replies.map(({ firstByteMs }) => firstByteMs)),
            unit: 'ms',
            must: 100,
            stretch: 50,
          },
          {
            what: 'peak RSS over idle',
            value: peakResidentMb(server.pid) - idle,
            unit: 'MB',
            must: 64,
          },
        ],
        evidence: replies.map(({ bytes, ms, firstByteMs }, run) => ({
          run: run + 1,
          MB: short(bytes / 1e6),
          ms: short(ms),
          'first byte, ms': short(firstByteMs),
          'MB/s': short(rates[run]!),
        })),
        notes: [
          `Idle: ${short(idle)} MB. The rate and the first byte are medians, the peak is over all runs.`,
        ],
      }
    }),
}
