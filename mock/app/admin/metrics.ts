import type { StatementLog } from '../log/statement-log.ts'
import type { EngineStatus } from '../../engine/pool/engine-status.ts'

/** Upper bounds of the histogram in seconds; the last is the contract's limit. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measurements from outside of the application. */
export interface Surroundings {
  /** Seconds since the start. */
  readonly uptime: number
  readonly engines?: EngineStatus | undefined
  /** The current time of a live plant, ISO 8601. */
  readonly plantTime?: string | undefined
  /** Memory of the process in bytes. */
  readonly residentBytes?: number | undefined
  /** Lines of the log that could not be written. */
  readonly droppedLogLines: number
}

/**
 * Counts statements, for the text format of Prometheus. Written by hand because the usual client library does not run
 * in a browser.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class Metrics {
  readonly #statements = new Map<string, number>()
  readonly #buckets = bounds.map(() => 0)
  #count = 0
  #seconds = 0
  #bytes = 0

  record({ status, state, durationMs, bytes = 0 }: StatementLog): void {
    const labels = `{status="${status}",outcome="${state}"}`
    this.#statements.set(labels, (this.#statements.get(labels) ?? 0) + 1)
    const seconds = durationMs / 1000
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) this.#buckets[bucket]! += 1
    this.#count += 1
    this.#seconds += seconds
    this.#bytes += bytes
  }

  render({ uptime, engines, residentBytes, droppedLogLines }: Surroundings): string {
    let below = 0
    const families = [
      family('bioprocess_sql_statements_total', 'counter', 'Requests of the endpoint.', [
        ...this.#statements,
      ]),
      family('bioprocess_sql_statement_duration_seconds', 'histogram', 'From arrival to the last byte.', [
        ...bounds.map((bound, index): Sample => [`_bucket{le="${bound}"}`, (below += this.#buckets[index]!)]),
        ['_bucket{le="+Inf"}', this.#count],
        ['_sum', this.#seconds],
        ['_count', this.#count],
      ]),
      family('bioprocess_sql_result_bytes_total', 'counter', 'Bytes of answers with rows, uncompressed.', [
        ['', this.#bytes],
      ]),
      family(
        'bioprocess_sql_log_lines_dropped_total',
        'counter',
        'Lines of the log that could not be written.',
        [['', droppedLogLines]],
      ),
      family('process_uptime_seconds', 'gauge', 'Time since the start.', [['', uptime]]),
    ]
    if (residentBytes !== undefined)
      families.push(
        family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', residentBytes]]),
      )
    if (engines) {
      const { idle, busy, starting, waiting, ended } = engines
      families.push(
        family('bioprocess_sql_engines', 'gauge', 'Engines by what they do.', [
          ['{state="idle"}', idle],
          ['{state="busy"}', busy],
          ['{state="starting"}', starting],
        ]),
        family('bioprocess_sql_statements_waiting', 'gauge', 'Statements that wait for an engine.', [
          ['', waiting],
        ]),
        family(
          'bioprocess_sql_engines_ended_total',
          'counter',
          'Engines that ended, by reason.',
          Object.entries(ended).map(([reason, count]): Sample => [`{reason="${reason}"}`, count]),
        ),
      )
    }
    return families.join('')
  }
}

/** The text after the name of the family, and the value. */
type Sample = readonly [rest: string, value: number]

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([rest, value]) => `${name}${rest} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
