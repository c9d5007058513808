import { isLater, leewayOf, microsOf } from '../rows/instant.ts'
import { unless, type Problems } from '../invariant.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

const edges = ['start_timestamp', 'run_start_timestamp', 'run_end_timestamp', 'end_timestamp']

/** P1: in order, the record starts, the run starts, the run ends, the record ends. */
export function orderProblems(row: Row): Problems | undefined {
  const known = edges.filter((edge) => !Number.isNaN(microsOf(row[edge])))
  if (known.length < 2) return undefined
  return known.slice(1).flatMap((edge, index) => {
    const before = known[index]!
    return unless(
      !isLater(row[before], row[edge]),
      say`${words(edge)} ${row[edge]} is before ${words(before)} ${row[before]}.`,
    )
  })
}

/** Durations are in whole milliseconds; timestamps may be finer. */
const roundingMs = 1

/**
 * P2: the duration of a bioprocess is that of its run: up to the end of the record while the run is in progress, 0 before
 * it has started. The duration of a series is the time from its start to its end.
 */
export function durationProblems(row: Row): Problems | undefined {
  const { duration_ms: printed } = row
  const [from, to] = boundsOf(row).map((column) => row[column])
  const expected = hasNotStarted(row) ? 0 : (microsOf(to) - microsOf(from)) / 1000
  if (typeof printed !== 'number' || Number.isNaN(expected)) return undefined
  return unless(
    Math.abs(printed - expected) <= roundingMs + leewayOf(from, to) / 1000,
    say`duration_ms is ${printed}, but the timestamps give ${expected}.`,
  )
}

/** The columns between which the duration lies; none for an unknown status. */
function boundsOf(row: Row): readonly string[] {
  if (!('status' in row)) return ['start_timestamp', 'end_timestamp']
  if (row['status'] === 'Completed') return ['run_start_timestamp', 'run_end_timestamp']
  return row['status'] === 'In-progress' ? ['run_start_timestamp', 'end_timestamp'] : []
}

/** Whether the status says that the run has not started. */
export const hasNotStarted = ({ status }: Row): boolean =>
  status === 'Draft' || status === 'Requested' || status === 'Scheduled'

/** P3: a completed run has a start and an end, a run in progress has a start, and other runs have neither. */
export function statusProblems(row: Row): Problems | undefined {
  const { status } = row
  const completed = status === 'Completed'
  if (!completed && status !== 'In-progress' && !hasNotStarted(row)) return undefined
  const wanted = { run_start_timestamp: !hasNotStarted(row), run_end_timestamp: completed }
  return Object.entries(wanted).flatMap(([column, there]) => {
    const value = row[column] ?? null
    return unless((value !== null) === there, say`status is ${status}, but ${words(column)} is ${value}.`)
  })
}

/** P4: a schedule starts before it ends. */
export function scheduleProblems(row: Row): Problems | undefined {
  const { scheduled_start_timestamp: from, scheduled_end_timestamp: to } = row
  if (Number.isNaN(microsOf(from) + microsOf(to))) return undefined
  return unless(!isLater(from, to), say`The schedule ends at ${to}, before it starts at ${from}.`)
}

/** P34: qc.failure_mode is set exactly if qc.status says that the run failed. */
export function failureProblems({ qc }: Row): Problems | undefined {
  if (!isRecord(qc) || !('failure_mode' in qc)) return undefined
  const { status, failure_mode: mode } = qc
  if (status !== null && typeof status !== 'string') return undefined
  const failed = /^fail/i.test(status ?? '')
  return unless(failed === (mode !== null), say`qc.status is ${status}, but qc.failure_mode is ${mode}.`)
}
