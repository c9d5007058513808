import { expect, test } from 'vitest'
import type { Exchange } from '../connection/http/exchange.ts'
import { Stopped } from '../connection/http/limits.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import type { Reply } from '../connection/http/reply.ts'
import { columnsOf, type Query } from './statements/syntax.ts'
import { fuzz } from './fuzz.ts'
import { render } from './statements/render.ts'
import { reportKind } from '../checks/findings/report-kind.ts'
import type { Comparison, SideBySide } from './side-by-side.ts'

const from = { view: 'v_timeseries', alias: 'v_timeseries' } as const
const [id, unit] = ['id', 'unit'].map((wanted) => columnsOf(from).find(({ name }) => name === wanted)!)
const select: Query = { items: [id!], from }
const limited: Query = { ...select, limit: 3 }
const after = (date: string): Query => ({
  ...select,
  after: { date: `2025-12-${date}`, sql: `'2025-12-${date}'` },
})
const afterNewest: Query = { ...select, after: { newestOf: 'v_timeseries' } }

const exchange: Exchange = {
  request: { method: 'POST', url: 'http://a', headers: {}, body: '' },
  durationMs: 0,
}
const differs: Comparison = {
  is: 'differs',
  difference: { message: 'm', expected: 'e', actual: 'a' },
  exchanges: [exchange],
}
const refused: Comparison = { is: 'refused', reply: { message: 'no', status: 200, exchange } as Reply }

/** Fuzzes a target with this comparison for matching statements, and the same rows for all others. */
const run = (pattern: RegExp, comparison: Comparison, queries: Query[], isSteady = true) => {
  const both = {
    differsAlways: async () => isSteady,
    compare: async ({ sql }: { sql: string }) => (pattern.test(sql) ? comparison : { is: 'same', rows: 1 }),
  }
  return fuzz(both as unknown as SideBySide, { queries, concurrency: 2 })
}

test('statements that differ for one reason make one finding, the simplest', async () => {
  const queries = [{ ...after('01'), limit: 3 }, afterNewest, after('02')]
  const { findings } = await run(/WHERE/, differs, queries)
  expect(findings.map(({ query, kind, count }) => [render(query), kind, count])).toEqual([
    ["SELECT id FROM v_timeseries WHERE last_updated_at > '2025-12-01'", 'delta-by-date', 3],
  ])
})

test('of many differences of one kind, two are shrunk and reported, and the others are counted', async () => {
  const columns = columnsOf(from).slice(0, 6)
  const queries = columns.map((column): Query => ({ items: [column], from }))
  const { findings, tally } = await run(/./, differs, queries)
  expect(findings.map(({ count }) => count)).toEqual([1, 5])
  expect(tally.select.differs).toBe(6)
})

test('a difference of one form does not hide that of another', async () => {
  const result = await run(/MAX|LIMIT/, differs, [afterNewest, limited])
  expect(result.findings.map(({ kind }) => kind).toSorted()).toEqual(['delta-by-newest', 'limit'])
  expect(reportKind(result, 'delta-by-newest', 'the reference', 'x').outcome).toBe('fail')
  expect(reportKind(result, 'select', 'the reference', 'x').outcome).toBe('not-exercised')
})

test('a refused statement is a failure', async () => {
  const result = await run(/WHERE/, refused, [afterNewest])
  expect(reportKind(result, 'delta-by-newest', 'the reference', 'x')).toMatchObject({
    outcome: 'fail',
    actual: 'no',
  })
})

test('an unclear comparison is inconclusive', async () => {
  const result = await run(/WHERE/, { is: 'unclear', why: 'it was busy' }, [after('01')])
  expect(reportKind(result, 'delta-by-date', 'the reference', 'x').outcome).toBe('inconclusive')
  expect(reportKind(result, 'join', 'the reference', 'x').outcome).toBe('not-exercised')
})

test('a target that stops serving most statements is inconclusive', async () => {
  const unserved: Comparison = { is: 'unserved', why: 'the target sent HTTP 502', reply: refused.reply }
  const queries = [after('01'), after('02'), after('03')]
  const judged = async (pattern: RegExp) =>
    reportKind(await run(pattern, unserved, queries), 'delta-by-date', 'the reference', 'x')
  expect(await judged(/0[12]'/)).toMatchObject({
    outcome: 'inconclusive',
    message: '2 of 3 statements were not served: the target sent HTTP 502',
  })
  expect((await judged(/01'/)).outcome).toBe('pass')
})

test('a statement that differs only sometimes is unclear', async () => {
  const { findings, tally, unclear } = await run(/WHERE/, differs, [after('01')], false)
  expect(findings).toEqual([])
  expect(tally['delta-by-date']).toMatchObject({ unclear: 1 })
  expect(unclear).toBe('a statement differs only sometimes')
})

/** Fuzzes a target that answers until a statement matches, and differs where `defect` matches. */
function interrupted(pattern: RegExp, error: () => Error, queries: Query[], defect = /never/) {
  const both = {
    differsAlways: async () => true,
    compare: async ({ sql }: { sql: string }) => {
      if (pattern.test(sql)) throw error()
      return defect.test(sql) ? differs : { is: 'same', rows: 1 }
    },
  }
  return fuzz(both as unknown as SideBySide, { queries, concurrency: 1 })
}
const silent = () => new TransportError('h sent no reply within 1 s.', exchange, true)
const closed = () => new TransportError('h closed the connection.', exchange, false)
const ended = () => new Stopped('it took longer than 1 s (--max-duration)')

test('a statement without an answer leaves what was compared before it, and only the rest is inconclusive', async () => {
  const queries = [select, after('01'), limited, after('02'), after('03')]
  const result = await interrupted(/02'/, silent, queries, /LIMIT/)
  expect(reportKind(result, 'select', 'the reference').outcome).toBe('pass')
  expect(reportKind(result, 'limit', 'the reference').outcome).toBe('fail')
  expect(reportKind(result, 'delta-by-date', 'the reference')).toEqual({
    outcome: 'inconclusive',
    message:
      "1 of 3 statements: same rows as the reference; 2 not compared, because `SELECT id FROM v_timeseries WHERE last_updated_at > '2025-12-02'` got no answer: h sent no reply within 1 s.",
    exchanges: [exchange],
  })
})

test('a connection that is closed once does not end the comparisons', async () => {
  let times = 0
  const once = { test: () => times++ === 0 } as unknown as RegExp
  const result = await interrupted(once, closed, [select, limited])
  expect(result.interruption).toBeUndefined()
  expect(reportKind(result, 'select', 'the reference').outcome).toBe('pass')
})

test('a difference is a failure, also if the search for a smaller statement gets no answer', async () => {
  const result = await interrupted(
    /^SELECT (id|unit) /,
    silent,
    [{ ...limited, items: [id!, unit!] }],
    /LIMIT/,
  )
  expect(reportKind(result, 'limit', 'the reference')).toMatchObject({
    outcome: 'fail',
    message: expect.stringContaining('smallest: `SELECT id, unit FROM v_timeseries LIMIT 3`'),
  })
})

test('a run that ends early leaves what was compared, and the rest is not exercised', async () => {
  const result = await interrupted(/02'/, ended, [after('01'), after('02')])
  expect(reportKind(result, 'delta-by-date', 'the reference')).toEqual({
    outcome: 'not-exercised',
    message:
      '1 of 2 statements: same rows as the reference; 1 not compared, because the run ended early: it took longer than 1 s (--max-duration)',
  })
})
