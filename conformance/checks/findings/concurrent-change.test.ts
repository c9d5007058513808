import { describe, expect, test } from 'vitest'
import type { ViewName } from '../../../schemas/index.ts'
import { checks } from '../index.ts'
import { readDelta } from '../../samples/delta.ts'
import { manyRows } from '../../connection/handmade.test-helper.ts'
import { written, type Rows } from './written.test-helper.ts'

const checkOf = (id: string) => checks.find((check) => check.id === id)!
const run = (id: string, ...target: Parameters<typeof written>) => checkOf(id).run(written(...target))

const row = (id: string, day: string) => ({ id, last_updated_at: `2025-${day}T00:00:00Z` })
const some = (...days: string[]) => days.map((day, index) => row(`row-${index}`, day))

/** Changes rows once, before the first statement that matches `pattern`. */
function before(pattern: RegExp, change: (rows: Rows) => void): (sql: string, rows: Rows) => void {
  let changed = false
  return (sql, rows) => {
    if (changed || !pattern.test(sql)) return
    changed = true
    change(rows)
  }
}

const remove =
  (name: ViewName, ...ids: string[]) =>
  (rows: Rows) => {
    rows[name] = rows[name]!.filter(({ id }) => !ids.includes(id!))
  }

const formulas = (): Rows => ({
  v_formulas: ['a', 'b', 'c'].map((id) => ({ ...row(id, '01-01'), name: id, formula: id })),
})
const changeAll = ({ v_formulas: all }: Rows) => {
  for (const formula of all!) formula['name'] = 'changed'
}

const changeOne = ({ v_formulas: all }: Rows) => changeAll({ v_formulas: all!.slice(0, 1) })

describe('the delta since a date', () => {
  const DAYS = ['01-01', '01-02', '02-01', '06-01', '06-02', '06-03']
  const delta = /^SELECT id, last_updated_at FROM v_formulas WHERE last_updated_at > '1960.* LIMIT 900$/

  test('delta.since-date ignores deleted rows but still finds other missing rows', async () => {
    const others = before(delta, (rows) => {
      remove('v_formulas', 'row-3')(rows)
      rows.v_formulas!.push(row('new', '07-01'))
    })
    expect(await run('delta.since-date', { ...manyRows, v_formulas: some(...DAYS) }, others)).toMatchObject({
      outcome: 'pass',
    })

    const losing = (sql: string, rows: Rows) => {
      others(sql, rows)
      const lost = rows.v_formulas!.find(({ id }) => id === 'row-4') ?? row('row-4', '06-02')
      remove('v_formulas', 'row-4')(rows)
      if (!delta.test(sql)) rows.v_formulas!.push(lost)
    }
    expect(await run('delta.since-date', { ...manyRows, v_formulas: some(...DAYS) }, losing)).toMatchObject({
      outcome: 'fail',
      message: expect.stringContaining('lacks 1 row newer'),
    })
  })

  test('delta.since-date is inconclusive if rows vanish without a newer update', async () => {
    const rows = { ...manyRows, v_formulas: some(...DAYS) }
    const finding = await run('delta.since-date', rows, before(delta, remove('v_formulas', 'row-3')))
    expect(finding).toMatchObject({ outcome: 'inconclusive', concurrentChange: true })
    expect(finding.message).toContain('1 vanished without a newer last_updated_at')
  })
})

describe('the delta above another view', () => {
  /** Too many to read the view whole, so the check asks for the maximum. */
  const series = Array.from({ length: 501 }, (_, index) => row(`series-${index}`, '01-01'))
  const rows = (): Rows => ({ v_bioprocesses: some('01-02', '01-03'), v_timeseries: [...series] })
  const maximum = /^SELECT MAX\(last_updated_at\) FROM v_timeseries$/

  test('delta.above-other-view ignores a row written after an empty delta', async () => {
    const late = before(maximum, ({ v_timeseries: all }) => all!.push(row('late', '01-04')))
    expect(await run('delta.above-other-view', rows(), late)).toMatchObject({
      outcome: 'inconclusive',
      message: 'rows of v_timeseries changed while they were compared',
      concurrentChange: true,
    })
  })

  test('delta.above-other-view fails if the delta stays empty', async () => {
    const hidden = row('hidden', '01-04')
    const hiding = (sql: string, all: Rows) => {
      remove('v_timeseries', 'hidden')(all)
      if (maximum.test(sql)) all.v_timeseries!.push(hidden)
    }
    expect(await run('delta.above-other-view', rows(), hiding)).toMatchObject({
      outcome: 'fail',
      message: expect.stringContaining('is empty, although'),
    })
  })

  test('delta.above-other-view is inconclusive if a row was written after another check read the delta', async () => {
    const rows = { v_bioprocesses: some('01-02', '01-03'), v_timeseries: series.slice(0, 301) }
    const target = written(rows, () => {})
    await target.sample('v_bioprocesses')
    await readDelta(target, 'v_timeseries', '(SELECT MAX(last_updated_at) FROM v_bioprocesses)')
    rows.v_timeseries.push(row('late', '01-04'))
    const finding = await checkOf('delta.above-other-view').run(target)
    expect(finding).toMatchObject({ outcome: 'inconclusive', concurrentChange: true })
    expect(await checkOf('delta.above-other-view').run(target.fresh())).toMatchObject({ outcome: 'pass' })
  })

  test('delta.above-other-view is inconclusive if the bound rose after another check read the delta', async () => {
    const runs = Array.from({ length: 301 }, (_, index) => row(`run-${index}`, '01-01'))
    const rows = { v_bioprocesses: runs, v_timeseries: some('01-01', '01-02') }
    const target = written(rows, () => {})
    await target.sample('v_timeseries')
    await readDelta(target, 'v_timeseries', '(SELECT MAX(last_updated_at) FROM v_bioprocesses)')
    runs.push(row('late', '01-04'))
    const finding = await checkOf('delta.above-other-view').run(target)
    expect(finding).toMatchObject({ outcome: 'inconclusive', concurrentChange: true })
  })

  test('delta.above-other-view is retried if the newest rows are too close', async () => {
    const runs = [row('run-0', '01-02'), { id: 'run-1', last_updated_at: '2025-01-03T00:00:01Z' }]
    const close = { v_bioprocesses: runs, v_timeseries: [...series, row('late', '01-03')] }
    expect(await run('delta.above-other-view', close, () => {})).toMatchObject({
      outcome: 'not-exercised',
      message: expect.stringContaining('too close'),
      concurrentChange: true,
    })
  })

  test('delta.above-other-view is retried if both views change', async () => {
    let asked = 0
    const late = (sql: string, { v_timeseries: all }: Rows) => {
      if (maximum.test(sql) && ++asked === 2) all!.push(row('late', '01-04'))
    }
    expect(await run('delta.above-other-view', rows(), late)).toMatchObject({ concurrentChange: true })
    expect(asked).toBeGreaterThanOrEqual(2)
  })
})

describe('named columns', () => {
  /** The statement of the check, which names columns in reverse order. Others ask in the order of the contract. */
  const named = / name, id FROM v_formulas/

  test('sql.select-named ignores changed rows but still finds other differences', async () => {
    expect(await run('sql.select-named', formulas(), before(named, changeOne))).toMatchObject({
      outcome: 'pass',
      message: expect.stringMatching(/^2 rows/),
    })

    const changing = before(named, changeOne)
    const swapping = (sql: string, all: Rows) => {
      changing(sql, all)
      all.v_formulas![1]!['name'] = named.test(sql) ? 'swapped' : 'b'
    }
    expect(await run('sql.select-named', formulas(), swapping)).toMatchObject({
      outcome: 'fail',
      message: expect.stringContaining('shows another name'),
    })
  })

  test('sql.select-named is inconclusive if all rows changed', async () => {
    const finding = await run('sql.select-named', formulas(), before(named, changeAll))
    expect(finding).toMatchObject({ outcome: 'inconclusive', concurrentChange: true })
  })
})
