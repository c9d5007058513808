import { microsOf } from '../rows/instant.ts'
import { unless, type Problems } from '../invariant.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

const edges = ['start_timestamp', 'run_start_timestamp', 'run_end_timestamp', 'end_timestamp']

/** P1: the record starts, the run starts, the run ends, the record ends. */
export function orderProblems(row: Row): Problems | undefined {
  const known = edges.filter((edge) => !Number.isNaN(microsOf(row[edge])))
  if (known.length < 2) return undefined
  return known.slice(1).flatMap((edge, index) => {
    const before = known[index]!
    const ordered = microsOf(row[before]) <= microsOf(row[edge])
    return unless(ordered, say`${words(edge)} ${row[edge]} is before ${words(before)} ${row[before]}.`)
  })
}

/** Durations are whole milliseconds, the times they come from may be finer. */
const roundingMs = 1

/**
 * P2: the duration of a bioprocess is that of its run; up to the end of the record while it is in progress, 0 before it.
 * That of a series reaches from its start to its end.
 */
export function durationProblems(row: Row): Problems | undefined {
  const { duration_ms: printed } = row
  const expected = durationOf(row)
  if (typeof printed !== 'number' || Number.isNaN(expected)) return undefined
  return unless(
    Math.abs(printed - expected) <= roundingMs,
    say`duration_ms is ${printed}, the times give ${expected}.`,
  )
}

function durationOf(row: Row): number {
  const between = (from: string, to: string) => (microsOf(row[to]) - microsOf(row[from])) / 1000
  if (!('status' in row)) return between('start_timestamp', 'end_timestamp')
  if (row['status'] === 'Completed') return between('run_start_timestamp', 'run_end_timestamp')
  if (row['status'] === 'In-progress') return between('run_start_timestamp', 'end_timestamp')
  return hasNotStarted(row) ? 0 : Number.NaN
}

/** Whether the status says that the run has not started. */
export const hasNotStarted = ({ status }: Row): boolean =>
  status === 'Draft' || status === 'Requested' || status === 'Scheduled'

/** P3: a completed run has a start and an end, one in progress a start, others neither. */
export function statusProblems(row: Row): Problems | undefined {
  const { status } = row
  const completed = status === 'Completed'
  if (!completed && status !== 'In-progress' && !hasNotStarted(row)) return undefined
  const wanted = { run_start_timestamp: !hasNotStarted(row), run_end_timestamp: completed }
  return Object.entries(wanted).flatMap(([column, there]) => {
    const value = row[column] ?? null
    return unless((value !== null) === there, say`status is ${status}, yet ${words(column)} is ${value}.`)
  })
}

/** P4: what is scheduled starts before it ends. */
export function scheduleProblems(row: Row): Problems | undefined {
  const { scheduled_start_timestamp: from, scheduled_end_timestamp: to } = row
  if (Number.isNaN(microsOf(from) + microsOf(to))) return undefined
  return unless(microsOf(from) <= microsOf(to), say`The schedule ends at ${to}, before it starts at ${from}.`)
}

/** P34: a failure mode says how a run failed, so it is there exactly where qc.status says that it did. */
export function failureProblems({ qc }: Row): Problems | undefined {
  if (!isRecord(qc) || !('failure_mode' in qc)) return undefined
  const { status, failure_mode: mode } = qc
  if (status !== null && typeof status !== 'string') return undefined
  const failed = /^fail/i.test(status ?? '')
  return unless(failed === (mode !== null), say`qc.status is ${status}, failure_mode ${mode}.`)
}
