import { test } from 'vitest'
import {
  connectSession,
  createReference,
  type Duration,
  parseFault,
  parseVariants,
  type SessionControl,
  startServer,
} from '../index.ts'
import { sessionFixture } from '../node/playwright.ts'

// Nothing here runs: the compiler is the test.

declare const session: SessionControl
declare const text: string

test('a misspelt variant, fault, duration or view of a session does not compile', () => {
  const started = connectSession({ baseUrl: text })
  // @ts-expect-error no such setting
  void started.use({ 'rows.shap': 'array' })
  // @ts-expect-error no such variant
  void session.once({ 'rows.shape': 'arrays' }, 2)
  // @ts-expect-error no such fault
  void session.faults(['timeot'])
  // @ts-expect-error no such unit
  void session.clock.advance('4 hours')
  // @ts-expect-error no such view
  void session.stub({ match: 'v_formulaz', rows: [] })
  // @ts-expect-error no such view
  void session.requests({ statement: 'v_formulaz' })
  // @ts-expect-error no such view
  void session.waitForRequest({ statement: 'v_formulaz' })
  // @ts-expect-error no such view
  void session.expectNoRequest({ statement: 'v_formulaz' })
  // @ts-expect-error no such view
  void session.rows.put({ v_formulaz: [] })
})

test('what a session takes compiles, also from outside', () => {
  void session.use({ 'rows.shape': 'array' })
  void session.once(parseVariants(text), 2)
  void session.faults(['timeout,every=2', parseFault(text)])
  void session.clock.advance('1d')
  void session.clock.advance(text as Duration)
  void session.stub({ match: 'v_formulas', rows: [] }, { match: text, delayMs: 10 })
  void session.requests({ statement: 'limit 5', status: 200 })
  void session.waitForRequest({ statement: text }, { count: 2 })
  void session.expectNoRequest()
})

test('a misspelt variant or fault of a server does not compile', () => {
  // @ts-expect-error no such setting
  void startServer({ variants: { 'rows.shap': 'array' } })
  // @ts-expect-error no such variant
  void createReference({ variants: { 'rows.shape': 'arrays' } })
  // @ts-expect-error no such fault
  void startServer({ faults: ['timeot'] })
  // @ts-expect-error no such setting
  sessionFixture({ variants: { 'rows.shap': 'array' } })
  // @ts-expect-error no such fault
  sessionFixture({ faults: ['timeot'] })
})

test('variants and faults of a server compile, also from outside', () => {
  const variants: Record<string, string> = { [text]: text }
  void startServer({ variants, faults: ['status:503,rate=0.2', { type: 'timeout' }] })
  void createReference({ variants: parseVariants(text), faults: text.split(';').map(parseFault) })
  sessionFixture({ variants: { 'rows.shape': 'array' }, faults: ['reset'] })
  sessionFixture({ baseUrl: text, token: text })
})
