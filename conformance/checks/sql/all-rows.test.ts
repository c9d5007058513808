import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../../connection/handmade.test-helper.ts'
import { allRowsChecks } from './all-rows.ts'

const [allRows] = allRowsChecks

const rows = ['pH', 'DO', 'DO'].map((name, n) => ({ id: `q${n}`, name }))
const NAMES = 'SELECT name FROM v_quantities LIMIT 200'

/** Runs the check after one statement, against a service with a special answer to it. */
async function run(answer: (times: number) => unknown[], others: typeof rows = rows) {
  let times = 0
  const target = handmade({
    rows: { v_quantities: others, ...manyRows },
    answer: ({ sql }) => (sql === NAMES ? rowsReply(answer(times++)) : undefined),
  })
  await target.query(NAMES)
  return allRows!.run(target)
}

test('sql.all-rows fails if an answer repeatedly has fewer rows than another one over the view', async () => {
  const finding = await run(() => [{ name: 'pH' }, { name: 'DO' }])
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: `\`${NAMES}\` returns 2 rows, although v_quantities has at least 3`,
  })
  expect(finding.exchanges).toHaveLength(2)
})

test('sql.all-rows passes if a repetition has the missing row', async () => {
  expect(await run((times) => (times === 0 ? rows.slice(1) : rows))).toMatchObject({ outcome: 'pass' })
})

test('sql.all-rows passes if rows are removed and added while it repeats a statement', async () => {
  // shorter than both answers around it at first, and as long later
  expect(await run((times) => (times < 3 ? rows.slice(1) : rows))).toMatchObject({ outcome: 'pass' })
})

test('sql.all-rows passes if a cap on responses may have ended the shorter answer', async () => {
  const wide = Array.from({ length: 3 }, (_, n) => ({ id: `q${n}`, name: 'x'.repeat(20_000) }))
  expect(await run(() => wide.slice(0, 2).map(({ name }) => ({ name })), wide)).toMatchObject({
    outcome: 'pass',
  })
})

/** Runs the check after two statements, against a service whose answers to SELECT * with LIMIT are changed. */
async function unsteady(change: (data: unknown[], sql: string) => unknown[]) {
  const dated = rows.map((row, n) => ({ ...row, last_updated_at: `2025-01-0${3 - n}T00:00:00Z` }))
  const target = handmade({
    rows: { v_quantities: dated, ...manyRows },
    answer: ({ sql }) => {
      const [, limit] = /^SELECT \* FROM v_quantities LIMIT (\d+)$/.exec(sql) ?? []
      return limit ? rowsReply(change(dated.slice(0, Number(limit)), sql)) : undefined
    },
  })
  await target.query('SELECT * FROM v_quantities LIMIT 200')
  await target.query(NAMES)
  return allRows!.run(target)
}

test('sql.all-rows fails if only the first answer to each statement lacks rows', async () => {
  const known = new Set<string>()
  const finding = await unsteady((data, sql) => {
    const isFirst = !known.has(sql)
    known.add(sql)
    return isFirst ? data.slice(0, 2) : data
  })
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: '`SELECT * FROM v_quantities LIMIT 195` returns 2 rows, although v_quantities has at least 3',
  })
})

test('sql.all-rows does not blame two copies that take turns, one of which lacks the newest row', async () => {
  let turn = 0
  const target = handmade({
    rows: { v_quantities: rows, ...manyRows },
    answer: ({ sql }) => {
      const isBehind = turn++ % 2 === 1
      return sql.includes('v_quantities') ? rowsReply(isBehind ? rows.slice(1) : rows) : undefined
    },
  })
  await target.query('SELECT * FROM v_quantities LIMIT 200')
  await target.query('SELECT * FROM v_quantities LIMIT 200')
  expect(await allRows!.run(target)).toMatchObject({ outcome: 'pass' })
})
