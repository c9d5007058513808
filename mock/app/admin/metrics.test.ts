import { expect, test } from 'vitest'
import { Metrics } from './metrics.ts'

/** Reads the text as Prometheus does: every line is a comment or a sample. */
function samples(text: string): Record<string, number> {
  expect(text).toMatch(/\n$/)
  const lines = text.trimEnd().split('\n')
  const read = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [, name, value] =
        /^([a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})?) ([\d.e+-]+)$/.exec(line) ?? []
      expect(name, line).toBeDefined()
      return [name, Number(value)] as const
    })
  expect(new Set(read.map(([name]) => name)).size).toBe(read.length)
  return Object.fromEntries(read)
}

const success = { status: 200, state: 'success', durationMs: 4, bytes: 100 } as const

test('counts statements by status and outcome, their time and their bytes', () => {
  const metrics = new Metrics()
  metrics.record(success)
  metrics.record({ ...success, durationMs: 40_000 })
  metrics.record({ status: 503, state: 'error', durationMs: 1 })
  expect(samples(metrics.render({ uptime: 1.5, droppedLogLines: 3 }))).toMatchObject({
    'bioprocess_sql_statements_total{status="200",outcome="success"}': 2,
    'bioprocess_sql_statements_total{status="503",outcome="error"}': 1,
    'bioprocess_sql_statement_duration_seconds_bucket{le="0.001"}': 1,
    'bioprocess_sql_statement_duration_seconds_bucket{le="0.0025"}': 1,
    'bioprocess_sql_statement_duration_seconds_bucket{le="0.005"}': 2,
    'bioprocess_sql_statement_duration_seconds_bucket{le="30"}': 2,
    'bioprocess_sql_statement_duration_seconds_bucket{le="+Inf"}': 3,
    bioprocess_sql_statement_duration_seconds_count: 3,
    bioprocess_sql_statement_duration_seconds_sum: expect.closeTo(40.005),
    bioprocess_sql_result_bytes_total: 200,
    bioprocess_sql_log_lines_dropped_total: 3,
    process_uptime_seconds: 1.5,
  })
})

test('shows the engines and the memory if they are known', () => {
  const engines = { idle: 1, busy: 2, starting: 3, waiting: 4, ended: { deadline: 5 } }
  expect(
    samples(new Metrics().render({ uptime: 1, engines, residentBytes: 1e9, droppedLogLines: 0 })),
  ).toMatchObject({
    'bioprocess_sql_engines{state="idle"}': 1,
    'bioprocess_sql_engines{state="busy"}': 2,
    'bioprocess_sql_engines{state="starting"}': 3,
    bioprocess_sql_statements_waiting: 4,
    'bioprocess_sql_engines_ended_total{reason="deadline"}': 5,
    process_resident_memory_bytes: 1e9,
  })
  expect(new Metrics().render({ uptime: 1, droppedLogLines: 0 })).not.toMatch(/engines|memory/)
})

test('describes every family once', () => {
  const text = new Metrics().render({ uptime: 1, residentBytes: 1, droppedLogLines: 0 })
  const named = [...text.matchAll(/^# (HELP|TYPE) (\w+) \S/gm)].map(([, kind, name]) => `${kind} ${name}`)
  expect(new Set(named).size).toBe(named.length)
  expect(named).toHaveLength(12)
})
