import { rowProblem } from '../../../fixtures/import/check-row.ts'
import { exceeded, limits, megabytes } from '../../../fixtures/import/limits.ts'
import type { ViewName } from '../../../schemas/index.ts'
import type { Row } from '../read/asker.ts'
import { keyOf } from '../read/statements.ts'
import { changeOf, compareTimes } from '../read/times.ts'
import type { State } from './state.ts'
import { ViewFile, writtenRows, type Place } from './view-file.ts'

/** Puts pseudonyms into a row. */
export type Replace = (view: ViewName, row: Row) => Row

/** Continues the file of a view, after the rows of an earlier run whose position is known. */
export function openStore(out: string, view: ViewName, { views }: State, replace: Replace) {
  const before = views[view]?.position && views[view]
  const file = new ViewFile(out, view, before?.bytes ?? 0)
  const others = Object.entries(views).flatMap(([name, other]) => (name === view ? [] : other))
  const { columns, isUnique } = keyOf(view)
  const known = new Map<unknown, Place & { readonly changed: string }>()
  const remember = (row: Row, place: Place): void => {
    if (isUnique) known.set(row[columns[0]!], { ...place, changed: changeOf(row) })
  }
  if (isUnique) for (const { row, ...place } of writtenRows(out, view, file.bytes)) remember(row, place)
  const counts = { rows: isUnique ? known.size : (before?.rows ?? 0), leftOut: before?.leftOut ?? 0 }

  /**
   * Stores the rows of an answer that `serve --data` accepts. A row that an earlier answer had with an older time of change has
   * changed since then, and replaces that one.
   */
  function store(answer: readonly Row[], leaveOut: (reason: string) => void): void {
    const start = file.bytes
    for (const row of answer) {
      const problem = stored(row, start)
      if (problem === undefined) continue
      counts.leftOut++
      leaveOut(problem)
    }
  }

  /** Stores a row, or returns why it is left out. */
  function stored(given: Row, start: number): string | undefined {
    const problem = rowProblem(view, given)
    if (problem !== undefined) return problem
    const row = replace(view, given)
    const line = Buffer.from(`${JSON.stringify(row)}\n`)
    if (line.length > limits.row) return `It has more than ${megabytes(limits.row)}.`
    const older = known.get(row[columns[0]!])
    if (older && (older.at >= start || compareTimes(changeOf(row), older.changed) <= 0))
      return 'The service repeats its id.'
    const limit = exceeded([...others, { rows: counts.rows + 1, bytes: file.bytes + line.length }])
    if (limit !== undefined) return `The recording would have more than ${limit}.`
    if (older) file.erase(older)
    else counts.rows++
    remember(row, file.append(line))
    return undefined
  }

  return { file, counts, store }
}
