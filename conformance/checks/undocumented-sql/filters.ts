import { sqlLiteral } from '../../../schemas/formats/sql-literal.ts'
import { contract, view } from '../../../schemas/index.ts'
import { notExercised, type Finding } from '../check.ts'
import { canonical, type Json } from '../../connection/json.ts'
import type { Target } from '../../connection/target.ts'
import { attempt, idsOf, numberIn, sameAs, wrong } from './attempt.ts'
import { sampleView, NO_SAMPLE_VIEW, onSampleView, onSplitView } from './sample-view.ts'
import { oldest, updatedAt, updatesOf } from '../../connection/updates.ts'

const { column } = contract.delta

const isTrue = (value: Json | undefined): boolean => /^(true|t|1(\.0+)?)$/i.test(String(value))

export const orderBy = onSampleView('ORDER BY', ({ name, whole }) => ({
  statements: [`SELECT id, ${column} FROM ${name} ORDER BY ${column}`],
  columns: ['id', column],
  compare: ([answer]) => {
    const updates = updatesOf(answer!.rows)
    const fall = updates.findIndex((update, index) => index > 0 && update < updates[index - 1]!)
    if (fall > 0)
      return wrong(
        'rows in ascending order of last_updated_at',
        `row ${fall + 1} is older than the row before`,
      )
    return sameAs(idsOf(whole.rows), idsOf(answer!.rows))
  },
}))

export const count = onSampleView('COUNT(*)', ({ name, whole }) => ({
  statements: [`SELECT COUNT(*) FROM ${name}`],
  columns: ['count'],
  compare: ([answer]) => {
    const counted = numberIn(answer!.values[0]?.[0])
    return counted === whole.rows.length ? counted : wrong(whole.rows.length, counted)
  },
}))

export const groupBy = onSampleView('GROUP BY', ({ name, whole }) => ({
  statements: [`SELECT ${column}, COUNT(*) FROM ${name} GROUP BY ${column}`],
  columns: [column, 'count'],
  compare: ([answer]) => {
    const counts = answer!.rows.map((row) =>
      numberIn(Object.entries(row).find(([name]) => name !== column)?.[1]),
    )
    const total = counts.reduce((sum, counted) => sum + counted, 0)
    const groups = new Set(updatesOf(whole.rows)).size
    if (total !== whole.rows.length) return wrong(`groups with ${whole.rows.length} rows in total`, total)
    return answer!.values.length < groups ? wrong(`${groups} groups`, answer!.values.length) : total
  },
}))

/** A filter and its opposite together return all rows. */
export const split = onSplitView('<=', ({ name, whole }, newer) => ({
  statements: [`SELECT id FROM ${name} WHERE ${column} ${newer.sql.replace('>', '<=')}`],
  compare: ([answer]) => sameAs(idsOf(whole.rows), [...newer.ids, ...idsOf(answer!.rows)]),
}))

/** A selected condition is true as often as WHERE returns a row. */
export const shownCondition = onSplitView('A condition in the list of columns', ({ name, whole }, newer) => ({
  statements: [`SELECT ${column} ${newer.sql} FROM ${name}`],
  compare: ([answer]) => {
    const hits = answer!.values.filter(([value]) => isTrue(value)).length
    if (answer!.values.length !== whole.rows.length) return wrong(whole.rows.length, answer!.values.length)
    return hits === newer.ids.length
      ? answer!.values.length
      : wrong(`${newer.ids.length} true`, `${hits} true`)
  },
}))

/** A condition on a nullable column, its opposite and IS NULL together return all rows. */
export async function threeWays(t: Target): Promise<Finding> {
  const found = await sampleView(t)
  if (!found) return notExercised(NO_SAMPLE_VIEW)
  const text = view(found.name).columns.find(({ nullable, types }) => nullable && types.includes('string'))
  const condition = text?.format
    ? `${text.name} > ${await t.dateLiteral('2025-01-01')}`
    : `${text?.name} > 'm'`
  const conditions = [condition, `NOT (${condition})`, `${text?.name} IS NULL`]
  if (!text) return notExercised(`${found.name} has no nullable column`)
  return attempt(t, {
    kind: 'A condition, its opposite and IS NULL',
    statements: conditions.map((where) => `SELECT id FROM ${found.name} WHERE ${where}`),
    columns: ['id'],
    bases: [found.whole],
    compare: (answers) =>
      sameAs(
        idsOf(found.whole.rows),
        answers.flatMap(({ rows }) => idsOf(rows)),
      ),
  })
}

export const filterById = onSampleView('A filter on another column', ({ name, whole }) => {
  const id = whole.rows.at(-1)!['id'] ?? null
  return {
    statements: [`SELECT id FROM ${name} WHERE id = ${sqlLiteral(String(id))}`],
    compare: ([answer]) => sameAs([id], idsOf(answer!.rows)),
  }
})

/** All rows except the oldest. Rows less than a second newer than the oldest are not compared. */
export const aboveMinimum = onSampleView('MIN in the scalar subquery', ({ name, whole }) => {
  const first = oldest(updatesOf(whole.rows))!
  const close = 1_000_000_000n
  return {
    statements: [`SELECT id FROM ${name} WHERE ${column} > (SELECT MIN(${column}) FROM ${name})`],
    compare: ([answer]) => {
      const near = new Set(
        whole.rows
          .filter((row) => updatedAt(row)! - first < close)
          .map((row) => canonical(row['id'] ?? null)),
      )
      const distant = (ids: Json[]) => ids.filter((id) => !near.has(canonical(id)))
      if (answer!.rows.length >= whole.rows.length)
        return wrong('fewer rows than in the view', answer!.rows.length)
      return sameAs(distant(idsOf(whole.rows)), distant(idsOf(answer!.rows)))
    },
  }
})

export const commonTable = onSampleView('WITH', ({ name, whole }) => ({
  statements: [`WITH known AS (SELECT id FROM ${name}) SELECT id FROM known`],
  compare: ([answer]) => sameAs(idsOf(whole.rows), idsOf(answer!.rows)),
}))

export const union = onSampleView('UNION', ({ name, whole }) => ({
  statements: [`SELECT id FROM ${name} UNION SELECT id FROM ${name}`],
  compare: ([answer]) => sameAs(idsOf(whole.rows), idsOf(answer!.rows)),
}))

export const semicolon = onSampleView('A semicolon at the end', ({ name, whole }) => ({
  statements: [`SELECT id FROM ${name};`],
  compare: ([answer]) => sameAs(idsOf(whole.rows), idsOf(answer!.rows)),
}))
