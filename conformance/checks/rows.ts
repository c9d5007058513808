import { contract, validators } from '../../schemas/index.ts'
import { check, compared, fail, type Check, type Finding } from './check.ts'
import { canonical, isObject, plain, show, type Json } from '../connection/json.ts'
import type { Selection, Target } from '../connection/target.ts'
import { firstError } from '../comparisons/first-error.ts'
import { findConcurrentChange } from './findings/concurrent-change.ts'

/** A value that occurs twice in a list; undefined if none does. */
function repeated<T extends Json>(values: readonly T[]): T | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(canonical(value)).size)
}

const repetition = (view: string, what: string, { reply }: Selection): Finding =>
  fail({
    message: `${view} has ${what} more than once in one answer`,
    expected: 'each once',
    actual: what,
    exchanges: [reply.exchange],
  })

async function uniqueIds(t: Target): Promise<Finding> {
  let count = 0
  for (const name of contract.uniqueIds) {
    if (!(await t.exists(name))) continue
    const selection = await t.sample(name)
    const ids = selection.rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    const twice = repeated(ids)
    if (twice !== undefined) return repetition(name, `the id ${show(twice)}`, selection)
    if (ids.length > 1) count += ids.length
  }
  return compared(count, 'id', 'none occurs twice in its view')
}

async function uniquePairs(t: Target): Promise<Finding> {
  const selection = await t.sample('v_bioprocess_quantity_data')
  const pairs = selection.rows.map((row): Json[] => [
    row['bioprocess_id'] ?? null,
    row['quantity_id'] ?? null,
  ])
  const twice = repeated(pairs)
  if (twice !== undefined)
    return repetition('v_bioprocess_quantity_data', `the pair ${show(twice)}`, selection)
  return compared(pairs.length > 1 ? pairs.length : 0, 'pair', 'no bioprocess has a quantity twice')
}

async function unitTexts(t: Target): Promise<Finding> {
  const { rows, reply } = await t.sample('v_bioprocess_quantity_data')
  const units = rows.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))
  const bad = units.find((unit) => typeof unit !== 'string')
  if (bad === undefined) return compared(units.length, 'unit', 'every one is a text')
  return fail({
    message: `unit is ${show(bad)}`,
    expected: 'a text, the empty one where no unit applies',
    actual: show(bad),
    exchanges: [reply.exchange],
  })
}

/** Compares the objects of one column with their schema; the TYPES checks are about null and other types. */
async function shapes(
  t: Target,
  view: 'v_timeseries' | 'v_formula_results',
  column: string,
  schema: 'objects/statistics' | 'objects/series',
): Promise<Finding> {
  const { rows, reply } = await t.sample(view)
  const objects = rows.flatMap((row): Json[] => (isObject(row[column]) ? [row[column]] : []))
  for (const object of objects) {
    const error = firstError(validators[schema], plain(object))
    if (error)
      return fail({
        message: `${view}.${column}: ${error}`,
        expected: 'the documented keys with their types',
        actual: show(object, 300),
        exchanges: [reply.exchange],
      })
  }
  return compared(objects.length, 'object', 'keys and types are as documented')
}

const identity = (row: Record<string, Json>): string =>
  canonical([row['id'] ?? null, row['external_id'] ?? null])

/** A parent is misplaced only if the same record is in both views and a run names it as its parent. */
async function parents(t: Target): Promise<Finding> {
  const runs = await t.sample('v_bioprocesses')
  const experiments = await t.sample('v_experiments')
  const known = new Set(experiments.rows.map(identity))
  const named = new Set(
    runs.rows.flatMap(({ parent_id: parent }) => (typeof parent === 'string' ? [parent] : [])),
  )
  const misplaced = runs.rows.find((row) => known.has(identity(row)) && named.has(String(row['id'])))
  const change = misplaced && (await findConcurrentChange(t, 'compared', runs, experiments))
  if (change) return change
  if (misplaced)
    return fail({
      message: `the experiment ${show(misplaced['id'])} is a row of v_bioprocesses too`,
      expected: 'parents of bioprocesses only in v_experiments',
      actual: `${show(identity(misplaced))} in both views, and named by a parent_id`,
      exchanges: [experiments.reply.exchange, runs.reply.exchange],
    })
  const several = runs.rows.length > 1 && experiments.rows.length > 0
  return compared(
    several ? runs.rows.length : 0,
    'bioprocess',
    'none is an experiment that others name as their parent',
  )
}

export const rowChecks: Check[] = [
  check({
    id: 'quantity-data.unique',
    requirement: 'REQ-VIEW-QD-UNIQUE',
    title: 'have one row for each bioprocess and quantity',
    killedBy: ['quantity-data-twice'],
    run: uniquePairs,
  }),
  check({
    id: 'quantity-data.unit',
    requirement: 'REQ-VIEW-QD-UNIT',
    title: 'leave unit the empty text where no unit applies',
    killedBy: ['quantity-data-unit-null'],
    run: unitTexts,
  }),
  check({
    id: 'ids.unique',
    requirement: 'REQ-VIEW-ID-UNIQUE',
    title: 'use an identifier once in its view',
    killedBy: ['ids-repeated'],
    run: uniqueIds,
  }),
  check({
    id: 'timeseries.statistics',
    requirement: 'REQ-VIEW-STATS-SHAPE',
    title: 'have the eight keys in statistics',
    killedBy: ['statistics-without-sum', 'statistics-count-text'],
    run: (t) => shapes(t, 'v_timeseries', 'statistics', 'objects/statistics'),
  }),
  check({
    id: 'formula-results.series',
    requirement: 'REQ-VIEW-FR-SHAPE',
    title: 'give a series as {data, times_ms}, both arrays of numbers',
    killedBy: ['series-without-times', 'series-of-texts'],
    run: (t) => shapes(t, 'v_formula_results', 'timeseries', 'objects/series'),
  }),
  check({
    id: 'experiments.parents',
    requirement: 'REQ-VIEW-PARENTS',
    title: 'keep parents in v_experiments, out of v_bioprocesses',
    killedBy: ['parents-in-bioprocesses'],
    run: parents,
  }),
]
