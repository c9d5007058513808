import { expect, test } from 'vitest'
import type { Exchange } from '../connection/exchange.ts'
import { Stopped } from '../connection/limits.ts'
import { TransportError } from '../connection/transport-error.ts'
import type { Reply } from '../connection/reply.ts'
import { columnsOf } from './columns.ts'
import { fuzz } from './fuzz.ts'
import { render } from './render.ts'
import { reportKind } from '../checks/findings/report-kind.ts'
import type { Comparison, SideBySide } from './side-by-side.ts'
import type { ColumnUse, Condition, Expression, Query } from './syntax.ts'

const from = { view: 'v_timeseries', alias: 'v_timeseries' } as const
const column = (name: string): ColumnUse => columnsOf(from).find((candidate) => candidate.name === name)!
const where = (condition: Condition): Query => ({
  items: [{ expression: column('id'), name: 'id' }],
  from,
  where: condition,
})
const compare = (operator: '=' | '>', name: string, right: Expression): Condition => ({
  is: 'compare',
  operator,
  left: column(name),
  right,
})
const literal = (sql: string): Expression => ({ is: 'literal', sql })
const newest: Expression = { is: 'extreme', function: 'MAX', column: 'last_updated_at', view: 'v_timeseries' }

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

const unitIs = (text: string) => compare('=', 'unit', literal(`'${text}'`))
const idIs = (text: string) => compare('=', 'id', literal(`'${text}'`))

const isNull = (name: string): Condition => ({ is: 'null', of: column(name), not: false })
const either = (...parts: [Condition, Condition]) => where({ is: 'or', parts })

test('an undocumented finding does not explain a documented failure', async () => {
  const queries = [
    where(compare('>', 'last_updated_at', literal("'2025-12-01T12:00:00Z'"))),
    where(compare('>', 'last_updated_at', newest)),
  ]
  const result = await run(/ > /, differs, queries)
  expect(result.findings.map(({ kind }) => kind)).toEqual([undefined, 'delta-by-newest'])
  expect(reportKind(result, 'delta-by-newest', 'the reference', 'x').outcome).toBe('fail')
})

test('statements that differ because of a connective make one finding', async () => {
  const queries = [either(unitIs('g'), idIs('a')), either(isNull('unit'), idIs('b'))]
  const { findings } = await run(/ OR /, differs, queries)
  expect(findings.map(({ count }) => count)).toEqual([2])
})

test('a simpler finding replaces earlier ones', async () => {
  const queries = [where({ is: 'not', part: isNull('unit') }), where(isNull('id'))]
  const { findings } = await run(/NOT unit IS NULL|WHERE id IS NULL/, differs, queries)
  expect(findings.map(({ query, count }) => `${render(query)}: ${count}`)).toEqual([
    'SELECT id FROM v_timeseries WHERE id IS NULL: 2',
  ])
})

test('a target may refuse an undocumented statement but not a documented one', async () => {
  const queries = [where(unitIs('g')), where(compare('>', 'last_updated_at', newest))]
  const result = await run(/WHERE/, refused, queries)
  expect(reportKind(result, undefined, 'the reference', 'x')).toMatchObject({ outcome: 'not-exercised' })
  expect(reportKind(result, 'delta-by-newest', 'the reference', 'x')).toMatchObject({
    outcome: 'fail',
    actual: 'no',
  })
})

test('an unclear comparison is inconclusive', async () => {
  const result = await run(/WHERE/, { is: 'unclear', why: 'it was busy' }, [where(unitIs('g'))])
  expect(reportKind(result, undefined, 'the reference', 'x').outcome).toBe('inconclusive')
  expect(reportKind(result, 'join', 'the reference', 'x').outcome).toBe('not-exercised')
})

test('a target that stops serving most statements is inconclusive', async () => {
  const unserved: Comparison = { is: 'unserved', why: 'the target sent HTTP 502', reply: refused.reply }
  const queries = [where(isNull('id')), where(isNull('unit')), where(unitIs('g'))]
  expect(reportKind(await run(/unit/, unserved, queries), undefined, 'the reference', 'x')).toMatchObject({
    outcome: 'inconclusive',
    message: '2 of 3 statements were not served: the target sent HTTP 502',
  })
  expect(reportKind(await run(/ = /, unserved, queries), undefined, 'the reference', 'x').outcome).toBe(
    'pass',
  )
})

test('a statement that differs only sometimes is unclear', async () => {
  const { findings, tally, unclear } = await run(/WHERE/, differs, [where(unitIs('g'))], false)
  expect(findings).toEqual([])
  expect(tally.undocumented).toMatchObject({ unclear: 1 })
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
const select: Query = { items: [{ expression: column('id'), name: 'id' }], from }
const limited: Query = { ...select, limit: 3 }

test('a statement without an answer leaves what was compared before it, and only the rest is inconclusive', async () => {
  const queries = [select, where(unitIs('a')), limited, where(unitIs('b')), where(unitIs('c'))]
  const result = await interrupted(/'b'/, silent, queries, /LIMIT/)
  expect(reportKind(result, 'select', 'the reference').outcome).toBe('pass')
  expect(reportKind(result, 'limit', 'the reference').outcome).toBe('fail')
  expect(reportKind(result, undefined, 'the reference')).toEqual({
    outcome: 'inconclusive',
    message:
      "1 of 3 statements: same rows as the reference; 2 not compared, because `SELECT id FROM v_timeseries WHERE unit = 'b'` got no answer: h sent no reply within 1 s.",
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
  const query: Query = { ...limited, items: [...limited.items, { expression: column('unit'), name: 'unit' }] }
  const result = await interrupted(/^SELECT (id|unit) /, silent, [query], /LIMIT/)
  expect(reportKind(result, 'limit', 'the reference')).toMatchObject({
    outcome: 'fail',
    message: expect.stringContaining('smallest: `SELECT id, unit FROM v_timeseries LIMIT 3`'),
  })
})

test('a run that ends early leaves what was compared, and the rest is not exercised', async () => {
  const result = await interrupted(/'b'/, ended, [where(unitIs('a')), where(unitIs('b'))])
  expect(reportKind(result, undefined, 'the reference')).toEqual({
    outcome: 'not-exercised',
    message:
      '1 of 2 statements: same rows as the reference; 1 not compared, because the run ended early: it took longer than 1 s (--max-duration)',
  })
})
