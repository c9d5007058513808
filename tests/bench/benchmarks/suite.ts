import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { printedBy } from '../harness/command.ts'
import { repository } from '../harness/folders.ts'
import { median, short } from '../harness/numbers.ts'

const rounds = 2

/** The part of a report that is read. */
interface Report {
  readonly verdict: string
  readonly durationMs: number
  readonly statements: number
  readonly options: { readonly timeLimitMs: number }
}

/** A run of the suite against the reference. Most of it waits for the time limit. */
export const suite: Benchmark = {
  name: 'suite',
  title: 'A run of the suite',
  async run() {
    const reports = Array.from({ length: rounds }, runSuite)
    return {
      measures: [
        {
          what: 'duration, without the time limit',
          value: median(reports.map(ownSeconds)),
          unit: 's',
          must: 2,
        },
        { what: 'requests', value: reports[0]!.statements, unit: '' },
      ],
      evidence: reports.map((report) => ({
        verdict: report.verdict,
        requests: report.statements,
        'duration, s': short(report.durationMs / 1000),
      })),
      notes: ['The duration is that of the report; the start of the reference is not part of it.'],
    }
  },
}

const ownSeconds = ({ durationMs, options }: Report): number => (durationMs - options.timeLimitMs) / 1000

function runSuite(): Report {
  const command = join(repository, 'dist', 'cli', 'main.js')
  return JSON.parse(printedBy([command, 'conformance', '--self', '--report=json=-'])) as Report
}
