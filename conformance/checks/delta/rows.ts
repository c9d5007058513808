import { contract, type ViewName } from '../../../schemas/index.ts'
import { check, compared, fail, inconclusive, notExercised, type Check, type Finding } from '../check.ts'
import { canonical, show } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { describeReply } from '../../connection/http/reply.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'
import { baseRows } from '../../samples/delta.ts'
import { checkDelta, sinceDate, sinceOuterDates, type GoodDelta } from './check-delta.ts'
import { newestOf, type NewestBound } from './bounds.ts'
import { comparesPrintedTime } from './times.ts'
import { overViews, type Compared } from '../findings/over-views.ts'
import { updatedAt } from '../../connection/values/updates.ts'

const { column, views: deltaViews } = contract.delta
const newest = (name: ViewName): string => `(SELECT MAX(${column}) FROM ${name})`

/** The first view that can be read whole. One is enough for bounds before and after all rows. */
async function outerView(t: Target): Promise<ViewName | undefined> {
  for (const name of deltaViews) {
    const whole = await unlessRefused(baseRows(t, name))
    if (whole?.whole && whole.rows.length > 1) return name
  }
  return undefined
}

/** Checks that no row is newer than the newest row. A delta since 1970 shows that the filter returns rows at all. */
async function strictlyAfter(t: Target, name: ViewName): Promise<Compared> {
  const sample = await unlessRefused(t.sample(name))
  const dated = sample?.rows.filter((row) => updatedAt(row) !== undefined) ?? []
  const control = await t.everythingSince(name, await t.dateSpelling())
  if (dated.length < 2 || control.data.length === 0) return 0
  const most = 100
  // Without the column itself: a target may filter otherwise then.
  const sql = `SELECT id FROM ${name} WHERE ${column} > ${newest(name)}`
  const first = await unlessRefused(t.selectLimited(sql, ['id'], most))
  if (!first) return 0
  if (first.rows.length === 0) return 1
  // A row written between the maximum and the filter is not above the next maximum.
  const base = await baseRows(t.fresh(), name)
  const again = await t.select(first.sql, ['id'])
  const before = new Set(first.rows.map(canonical))
  const stays =
    again.rows.length === most ? again.rows : again.rows.filter((row) => before.has(canonical(row)))
  if (stays.length === 0)
    return inconclusive(`rows of ${name} changed while they were compared`, { concurrentChange: true })
  const change = await findConcurrentChange(t, 'compared', base)
  if (change) return change
  return fail({
    message: `rows of ${name} are returned as newer than the newest row of ${name}`,
    expected: 'no row, because none is newer than the newest row',
    actual: `${first.rows.length} rows, among them ${show(stays[0])}`,
    exchanges: [control.exchange, again.reply.exchange],
  })
}

/**
 * Checks the documented delta, and the same with exchanged views if it is empty: one of them has rows unless both maxima
 * are equal. An empty delta by itself would not show that the bound has an effect.
 */
async function aboveOtherView(t: Target): Promise<Finding> {
  let rows = 0
  const bases: Selection[] = []
  let close = false
  for (const [name, other] of [
    ['v_timeseries', 'v_bioprocesses'],
    ['v_bioprocesses', 'v_timeseries'],
  ] as const) {
    const base = await baseRows(t, name)
    const bound = await newestOf(t, other)
    if (!bound) return notExercised(`the newest last update of ${other} cannot be read`)
    if (base.rows.length < 2) return notExercised(`${name} has too few rows`)
    const found = await checkDelta(t, name, base, bound)
    if ('outcome' in found) return found
    bases.push(found.delta, bound.from)
    close ||= found.delta.rows.length > 0
    rows += found.rows
    if (found.newer > 0)
      return compared(
        rows,
        'row',
        `same as the filter in the client; ${found.newer} rows of ${name} are newer`,
      )
    const own = await newestOf(t, name)
    if (own && own.older > bound.newer) return emptyThough(t, own, bound, found)
  }
  // If both views change, each may have been the older one when it was read.
  const change = await findConcurrentChange(t, 'compared', ...bases)
  if (change) return change
  return close
    ? notExercised('the newest rows of both views are too close to each other', { concurrentChange: true })
    : notExercised('neither view has rows newer than the newest of the other')
}

/** Fails for an empty delta of a view with a newer maximum, unless rows changed. */
async function emptyThough(t: Target, own: NewestBound, bound: NewestBound, { delta }: GoodDelta) {
  // If the newer row was written after the delta, the same delta now has rows.
  const change = await findConcurrentChange(t, 'compared', delta, own.from, bound.from)
  if (change) return change
  return fail({
    message: `the delta above ${bound.sql} is empty, although ${own.sql} is newer`,
    expected: 'at least the newest row',
    actual: describeReply(delta.reply),
    exchanges: [own.from.reply.exchange, bound.from.reply.exchange, delta.reply.exchange],
  })
}

export const deltaRowChecks: Check[] = [
  check({
    id: 'delta.strictly-after',
    requirement: 'REQ-DELTA-2',
    title: 'return only rows newer than the bound',
    killedBy: ['delta-gte', 'delta-subquery-lt'],
    run: (t) =>
      overViews(deltaViews, 'view', 'no row is newer than the newest row', (name) => strictlyAfter(t, name)),
  }),
  check({
    id: 'delta.since-date',
    requirement: 'REQ-DELTA-6',
    title: 'return the rows that changed after a date, and no older rows',
    killedBy: [
      'delta-literal-ignored',
      'delta-literal-lt',
      'delta-literal-empty',
      'delta-loses-row',
      'delta-literal-loses-oldest',
      'delta-literal-keeps-newest',
    ],
    run: async (t) => {
      const outer = await outerView(t)
      return overViews(deltaViews, 'row', 'correct in deltas since a date', async (name) => {
        let rows = 0
        // A delta since a printed time shows more. Generated deltas of most views have a date.
        const isTimed = await unlessRefused(comparesPrintedTime(t, name))
        for (const since of [...(isTimed ? [] : [sinceDate]), ...(name === outer ? [sinceOuterDates] : [])]) {
          const found = await unlessRefused(since(t, name))
          if (found && 'outcome' in found) return found
          rows += found?.rows ?? 0
        }
        return rows
      })
    },
  }),
  check({
    id: 'delta.above-other-view',
    requirement: 'REQ-DELTA-7',
    title: 'return exactly the timeseries that changed after the newest bioprocess',
    killedBy: [
      'delta-subquery-min',
      'delta-subquery-own-view',
      'delta-subquery-empty',
      'delta-subquery-ignored',
    ],
    run: aboveOtherView,
  }),
]
