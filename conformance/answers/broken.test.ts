import { describe, expect, test } from 'vitest'
import type { Exchange } from '../connection/http/exchange.ts'
import { brokenKind } from './broken.ts'
import { documentedIn } from './documented.ts'

const LIMIT_MS = 30_000
const page = '<h1>No</h1>'
const error = (message: string) => JSON.stringify({ data: [], status: { state: 'error', message } })

const exchange = (given: Partial<Exchange>, body = ''): Exchange => ({
  request: { method: 'POST', url: 'http://vendor.example/', headers: {}, body },
  durationMs: 20,
  ...given,
})
const answered = (status: number, text: string, durationMs = 20, headers = {}): Exchange =>
  exchange({
    durationMs,
    response: { status, text, headers: new Headers(headers), bytes: text.length, memory: 0 },
  })

describe('a broken reply', () => {
  test.each<[string, Exchange, string | undefined]>([
    ['a connection that ends in the body', exchange({ broke: 'in the body' }), 'cut'],
    ['a connection that ends before the headers', exchange({ broke: 'before headers' }), 'cut'],
    [
      'a connection that ends at the limit',
      exchange({ broke: 'in the body', durationMs: 30_000 }),
      undefined,
    ],
    ['a connection that cannot be opened', exchange({ failure: 'no longer accepts' }), undefined],
    ['JSON that ends early', answered(200, '{"data":[{"id":'), 'cut'],
    ['an empty body', answered(204, ''), 'foreign'],
    ['a page with 403', answered(403, page), 'foreign'],
    ['a page with 200', answered(200, page), 'foreign'],
    ['a page that says that the limit is exceeded', answered(403, '<p>Rate limit exceeded</p>'), undefined],
    ['a page with Retry-After', answered(502, page, 20, { 'retry-after': '1' }), undefined],
    ['a 429', answered(429, page), undefined],
    ['a 503', answered(503, page), undefined],
    ['a 504 at once', answered(504, page), 'early-504'],
    ['a 504 at once with the envelope', answered(504, error('timeout')), 'early-504'],
    ['a 504 after a tenth of the limit', answered(504, page, 3000), undefined],
    ['an error in the envelope', answered(500, error('no')), undefined],
    ['a success', answered(200, '{"data":[],"status":{"state":"success","message":"too many"}}'), undefined],
  ])('%s is recognised', (_, reply, kind) => {
    expect(brokenKind(reply, LIMIT_MS)).toBe(kind)
  })
})

const join = 'FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id'

describe('the form of a statement', () => {
  test.each<[string, string | undefined]>([
    ['SELECT * FROM v_formulas', 'REQ-SQL-1'],
    ['SELECT name FROM v_formulas LIMIT 5', 'REQ-SQL-2'],
    ['SELECT id FROM v_formulas LIMIT 5', 'REQ-SQL-2'],
    ["SELECT * FROM v_formulas WHERE last_updated_at > '2020-01-01'", 'REQ-SQL-4'],
    [
      'SELECT id FROM v_formulas WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_experiments)',
      'REQ-SQL-5',
    ],
    [`SELECT * ${join}`, 'REQ-SQL-6'],
    [`SELECT * ${join} LIMIT 5`, undefined],
    ["SELECT * FROM v_formulas WHERE last_updated_at > '2020-01-01' LIMIT 5", undefined],
  ])('%s has the form of %s', (sql, form) => {
    expect(documentedIn(exchange({}, JSON.stringify({ statement: sql })))).toMatchObject({ sql, form })
  })

  test.each([
    'select * from v_formulas',
    'Select * FROM v_formulas',
    'SELECT  * FROM v_formulas',
    'SELECT * FROM v_formulas;',
    `SELECT * ${join.replace(' t ', ' AS t ')}`,
    'SELECT * FROM v_none',
    'SELECT id FROM v_formulas WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_none)',
  ])('%s has no form, so a refusal of it blames nobody', (sql) => {
    expect(documentedIn(exchange({}, JSON.stringify({ statement: sql })))).toBeUndefined()
  })
})
