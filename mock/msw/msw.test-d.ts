import { expectTypeOf, test } from 'vitest'
import {
  createMock,
  type Duration,
  type FaultText,
  type Mock,
  on,
  parseFault,
  parseVariants,
  type Stub,
  type Settings,
} from './index.ts'

// Nothing here runs: the compiler is the test.

declare const mock: Mock
declare const text: string
declare const environment: Readonly<Record<string, string | undefined>>

test('a misspelt variant does not compile', () => {
  // @ts-expect-error no such setting
  mock.use({ 'rows.shap': 'array' })
  // @ts-expect-error no such variant
  mock.use({ 'rows.shape': 'arrays' })
  // @ts-expect-error no such setting
  mock.once({ 'rows.shap': 'array' })
  // @ts-expect-error no such setting
  createMock({ variants: { 'rows.shap': 'array' } })
  // @ts-expect-error no such variant
  createMock({ variants: { 'rows.shape': 'arrays' } })
  // @ts-expect-error no such variant
  on.timeout({ variants: { 'timeout.body': 'htm' } })
  // @ts-expect-error no such variant
  on.error('syntax', { variants: { 'http.exception': '418' } })
})

test('variants compile as literals, as a value of their type and as parsed text', () => {
  mock.use({ 'rows.shape': 'array', 'rows.nulls': 'omitted' })
  const chosen: Partial<Settings> = { 'rows.shape': 'array' }
  createMock({ variants: { ...chosen, 'rows.case': 'upper' } })
  const kept = { 'rows.shape': 'array' } as const
  mock.once(kept)
  mock.use(parseVariants(environment['VARIANTS'] ?? ''))
  mock.use(parseVariants({ 'rows.shape': text }))
  for (const shape of ['array', 'wrapped'] as const) mock.use({ 'rows.shape': shape })
})

test('variants by names that are known at run time alone compile', () => {
  const record: Record<string, string> = { [text]: text }
  mock.use(record)
  mock.once({ ...record, 'rows.case': 'upper' })
  createMock({ variants: record })
})

test('the settings have the variants of the register', () => {
  expectTypeOf<Settings['rows.nulls']>().toEqualTypeOf<'null' | 'omitted' | 'empty-string'>()
})

test('a misspelt fault does not compile', () => {
  // @ts-expect-error no such fault
  mock.faults(['timeot'])
  // @ts-expect-error no such fault
  mock.faults(['timeouts'])
  // @ts-expect-error a status is a number
  mock.faults(['status:unavailable'])
  // @ts-expect-error no delay
  mock.faults(['latency'])
  // @ts-expect-error no window
  mock.faults(['limit:10'])
  // @ts-expect-error no such type
  mock.faults([{ type: 'timeot' }])
  // @ts-expect-error no such member
  mock.faults([{ type: 'status', status: 503, rat: 0.2 }])
  // @ts-expect-error no such fault
  createMock({ faults: ['timeot'] })
})

test('faults compile as texts, as objects and as parsed text', () => {
  mock.faults([])
  mock.faults(['timeout', 'timeout,every=2', 'timeout:after=limit', 'reset', 'reset,rate=0.1', 'reset:1000'])
  mock.faults(['latency:200ms', 'latency:50ms-0.4s', 'latency:median=120ms,p99=900ms', 'latency:1s,times=1'])
  mock.faults(['status:503', 'status:503,rate=0.2,retry-after=2s', 'limit:10/s', 'limit:100/5min,on=*'])
  mock.faults(['expire:after=20', 'expire:lifetime=1d', 'truncate:16KiB,framing=chunked', 'drip:1KB/s'])
  mock.faults([{ type: 'status', status: 503, rate: 0.2 }, parseFault(text), parseFault({ type: text })])
  const some: FaultText[] = ['reset']
  createMock({ faults: [...some, `status:${text.length},rate=0.2`, `latency:${text.length}ms`] })
  mock.faults([
    `truncate:${text.length}`,
    `drip:${text.length}KB/s`,
    `limit:${text.length}/s`,
    `reset:${text}`,
  ])
})

test('a misspelt duration does not compile', () => {
  // @ts-expect-error no such unit
  void mock.clock.advance('4 hours')
  // @ts-expect-error no unit
  void mock.clock.advance('4')
  // @ts-expect-error no number
  void mock.clock.advance('h')
})

test('durations compile with each unit, from a number and from outside', () => {
  for (const duration of ['500ms', '90s', '30m', '30min', '4h', '4 h', '1.5h', '1d'] as const)
    void mock.clock.advance(duration)
  void mock.clock.advance(`${text.length}min`)
  void mock.clock.advance(text as Duration)
})

test('a misspelt view does not compile where words of a statement are given', () => {
  // @ts-expect-error no such view
  on.rows('v_formulaz', [])
  // @ts-expect-error no such view
  void mock.stub({ match: 'v_formulaz', rows: [] })
  // @ts-expect-error no such view
  void mock.stub({ match: 'v_formulas', rows: [] }, { match: 'v_formula', rows: [] })
  // @ts-expect-error no such view
  void mock.waitForRequest({ statement: 'v_timeserie' })
})

test('other words of a statement compile', () => {
  for (const match of [
    'v_formulas',
    '*',
    'limit 5',
    'v_timeseries t',
    'v_formulas.id',
    'V_FORMULAS',
  ] as const) {
    on.rows(match, [])
    void mock.stub({ match, rows: [] })
    void mock.waitForRequest({ statement: match })
  }
  on.rows(/v_\w+/, [])
  on.rows(text, [{ id: 'f1' }])
  void mock.stub(
    { match: text, rows: [] },
    { match: 'v_formulas', delayMs: 100 },
    { match: '*', status: 503 },
  )
  void mock.stub({ match: { shape: 'SELECT 1' }, error: 'syntax' })
  const kept: Stub[] = [{ match: 'limit 5', rows: [], times: 1 }]
  void mock.stub(...kept)
  void mock.waitForRequest()
  void mock.waitForRequest({ status: 503 }, { count: 2 })
  void mock.waitForRequest({ statement: /v_\w+/ })
})

test('a misspelt view, column, value or error does not compile', () => {
  // @ts-expect-error no such view
  createMock({ data: { v_formulaz: [] } })
  // @ts-expect-error no such view
  void mock.rows.put({ v_formulaz: [] })
  // @ts-expect-error no such column
  void mock.rows.put({ v_formulas: [{ id: 'f1', nam: 'Yield' }] })
  // @ts-expect-error no such status
  void mock.rows.patch({ v_bioprocesses: [{ id: 'r1', status: 'Complete' }] })
  // @ts-expect-error no such view
  void mock.rows.remove({ v_formulaz: ['f1'] })
  // @ts-expect-error no such column
  createMock({ data: { v_formulas: [{ id: 'f1', nam: 'Yield' }] } })
  // @ts-expect-error no such kind
  on.error('timeout')
  // @ts-expect-error no such process
  createMock({ process: 'yeast' })
  // @ts-expect-error no such option
  createMock({ variant: {} })
  // @ts-expect-error a stub needs words to match
  void mock.stub({ rows: [] })
  // @ts-expect-error no such kind
  void mock.stub({ match: '*', error: 'timeout' })
})
