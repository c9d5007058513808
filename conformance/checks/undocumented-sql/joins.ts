import { contract } from '../../../schemas/index.ts'
import { notExercised, type Finding } from '../check.ts'
import { canonical, isObject, show } from '../../connection/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { isComplete, whole } from '../../connection/samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { attempt, idsOf, sameAs, wrong } from './attempt.ts'
import { disjointPair } from '../../connection/samples/disjoint-pair.ts'
import { joined, ownJoin } from '../../comparisons/own-join.ts'

const { column } = contract.delta

export async function jsonAccess(t: Target): Promise<Finding> {
  const runs = await whole(t, 'v_bioprocesses', ['id', 'qc'])
  if (!runs || runs.rows.length < 2) return notExercised('v_bioprocesses could not be read whole')
  const own = runs.rows.map(({ id, qc }) => [id ?? null, isObject(qc) ? (qc['status'] ?? null) : null])
  if (own.some(([, status]) => status !== null && typeof status !== 'string'))
    return notExercised('the status in qc is not a string')
  return attempt(t, {
    kind: 'JSON access by ->>',
    statements: ["SELECT id, qc->>'status' AS qc_status FROM v_bioprocesses"],
    columns: ['id', 'qc_status'],
    bases: [runs],
    compare: ([answer]) =>
      sameAs(
        own,
        answer!.rows.map((row) => [row['id'] ?? null, row['qc_status'] ?? null]),
      ),
  })
}

/** The series and runs for the comparison of joins. */
async function joinBases(t: Target): Promise<{ series: Selection; runs: Selection } | undefined> {
  const series = await unlessRefused(t.sample('v_timeseries'))
  const runs = await whole(t, 'v_bioprocesses', ['id', 'name'])
  return runs && series && runs.rows.length > 1 && series.rows.length > 1 ? { runs, series } : undefined
}

const PAIR = 'SELECT t.bioprocess_id, b.id, b.name FROM v_timeseries t'
const ON = 'JOIN v_bioprocesses b ON t.bioprocess_id = b.id'

/** An INNER JOIN omits rows without a partner. */
export async function innerJoin(t: Target): Promise<Finding> {
  const bases = await joinBases(t)
  if (!bases) return notExercised('v_bioprocesses could not be read whole')
  const own = ownJoin(bases.runs.rows, true)
  return attempt(t, {
    kind: 'INNER JOIN',
    statements: [`${PAIR} INNER ${ON} LIMIT 200`],
    columns: ['bioprocess_id', 'id', 'name'],
    bases: [bases.runs],
    compare: ([answer]) => {
      const odd = answer!.rows.find(
        (row) => row['id'] === null || !own(row['bioprocess_id'] ?? null)!.includes(joined(row, row)),
      )
      return odd ? wrong('pairs of a series and its bioprocess', show(odd)) : answer!.rows.length
    },
  })
}

/** The documented delta and the documented join in one statement. */
export async function joinedDelta(t: Target): Promise<Finding> {
  const bases = await joinBases(t)
  if (!bases) return notExercised('v_bioprocesses could not be read whole')
  const filter = `> (SELECT MAX(${column}) FROM v_bioprocesses) LIMIT 900`
  const sql = `SELECT id, ${column} FROM v_timeseries WHERE ${column} ${filter}`
  const delta = await t.selectOnce(sql, ['id', column])
  if (!(await isComplete(t, delta))) return notExercised('the delta has too many rows to be read whole')
  const names = new Map(bases.runs.rows.map((run) => [canonical(run['id'] ?? null), run['name'] ?? null]))
  return attempt(t, {
    kind: 'A delta over a join',
    statements: [
      `SELECT t.id, t.bioprocess_id, b.name FROM v_timeseries t LEFT ${ON} WHERE t.${column} ${filter}`,
    ],
    columns: ['id', 'bioprocess_id', 'name'],
    bases: [bases.runs, delta],
    compare: ([answer]) => {
      const odd = answer!.rows.find(
        (row) =>
          canonical(names.get(canonical(row['bioprocess_id'] ?? null)) ?? null) !==
          canonical(row['name'] ?? null),
      )
      return odd
        ? wrong('each series joined with its bioprocess', show(odd))
        : sameAs(idsOf(delta.rows), idsOf(answer!.rows))
    },
  })
}

/** IS NULL on the right view returns the left rows without a partner. */
export async function antiJoin(t: Target): Promise<Finding> {
  const pair = await disjointPair(t)
  if (!pair) return notExercised('there are no two columns without a common value')
  const { left, right, on } = pair
  const [leftColumn, rightColumn] = [on.left[1], on.right[1]]
  return attempt(t, {
    kind: 'IS NULL on the right side of a LEFT JOIN',
    statements: [
      `SELECT l.${leftColumn} FROM ${on.left[0]} l LEFT JOIN ${on.right[0]} r ON l.${leftColumn} = r.${rightColumn} WHERE r.${rightColumn} IS NULL`,
    ],
    columns: [leftColumn],
    bases: [left, right],
    compare: ([answer]) =>
      sameAs(
        left.rows.map((row) => row[leftColumn] ?? null),
        answer!.rows.map((row) => row[leftColumn] ?? null),
      ),
  })
}
