import { describe, expect, test } from 'vitest'
import { SqlError } from '../../statement.ts'
import { Refusal } from '../answer/refusal.ts'
import { type Stub, StubError, Stubs } from './stubs.ts'

const { signal } = new AbortController()
const stubsOf = (...stubs: Stub[]) => {
  const all = new Stubs()
  all.add(stubs)
  return all
}
const textOf = async (stubs: Stubs, statement: string) => {
  const answer = await stubs.answer(statement, signal)
  return answer && new TextDecoder().decode(answer.body as Uint8Array)
}

const matched = async (match: Stub['match'], statement: string) =>
  (await textOf(stubsOf({ match, rows: [] }), statement)) !== undefined

describe('a stub', () => {
  test('answers its rows with the message that fits', async () => {
    const stubs = stubsOf({ match: 'v_formulas', rows: [{ id: 'f' }] }, { match: 'v_quantities', rows: [] })
    expect(await textOf(stubs, 'SELECT * FROM v_formulas')).toContain(
      '{"data":[{"id":"f"}],"status":{"state":"success"',
    )
    expect(await textOf(stubs, 'SELECT * FROM v_quantities')).toMatch(
      /^\{"data":\[\],"status":\{"state":"success"/,
    )
    expect(await textOf(stubs, 'SELECT * FROM v_formula_results')).toBeUndefined()
  })

  test('matches whole words, every statement, or a shape', async () => {
    expect(await matched('v_timeseries', 'SELECT * FROM v_timeseries_data')).toBe(false)
    expect(await matched('limit 5', 'SELECT * FROM v_formulas LIMIT 5')).toBe(true)
    expect(await matched('*', 'SELECT 1')).toBe(true)
    const shape = "SELECT * FROM v_timeseries WHERE id = 'x' LIMIT 5"
    expect(await matched({ shape }, shape.replace('x', 'y'))).toBe(true)
    expect(await matched({ shape }, shape.replace('5', '6'))).toBe(true)
    expect(await matched({ shape }, shape.replace('id', 'name'))).toBe(false)
  })

  test('matches a text of 1000 characters, and may have no longer one', async () => {
    const text = 'ä'.repeat(1000)
    expect(await matched(text, `SELECT '${text}'`)).toBe(true)
    expect(await matched(text, 'SELECT 1')).toBe(false)
    expect(() => stubsOf({ match: `${text}x`, rows: [] })).toThrow(
      'Write a shorter text, such as the name of a view.',
    )
  })

  test('answers as often as its times say, then the next one does', async () => {
    const stubs = stubsOf({ match: '*', status: 503, times: 2 }, { match: '*', error: 'syntax', times: 1 })
    for (const _ of [1, 2]) await expect(stubs.answer('SELECT 1', signal)).rejects.toThrow(Refusal)
    await expect(stubs.answer('SELECT 1', signal)).rejects.toThrow(SqlError)
    expect(await stubs.answer('SELECT 1', signal)).toBeUndefined()
    expect(stubs.list().map(({ answered }) => answered)).toEqual([2, 1])
  })

  test('that was added last comes first', async () => {
    const stubs = stubsOf({ match: '*', rows: [{ n: 1 }] })
    stubs.add([{ match: '*', rows: [{ n: 2 }] }])
    expect(await textOf(stubs, 'SELECT 1')).toContain('"n":2')
  })

  test('fails a statement over its view to which its rows are no answer, but under variants', async () => {
    const stubs = stubsOf({ match: 'v_formulas', rows: [{ idd: 'f' }] })
    const statement = 'SELECT id FROM v_formulas'
    await expect(stubs.answer(statement, signal)).rejects.toThrow(StubError)
    await expect(stubs.answer(statement, signal)).rejects.toThrow('v_formulas[0] has no column idd.')
    expect(await stubs.answer(statement, signal, () => false)).toBeDefined()
    expect(await textOf(stubs, 'SELECT name AS idd FROM v_formulas')).toContain('{"idd":"f"}')
  })

  test('is named if it answered none of the statements that came after it', async () => {
    const stubs = stubsOf({ match: 'limit 5', rows: [] })
    expect(stubs.unanswered()).toEqual([])
    await stubs.answer('SELECT 1', signal)
    stubs.add([
      { match: '*', delayMs: 0, times: 1 },
      { match: '*', rows: [] },
      { match: { shape: 'SELECT 2' }, rows: [] },
      { match: 'limit 6', error: 'syntax' },
    ])
    const sentence = 'answered no statement. Compare it with those that were sent, or take it out.'
    expect(stubs.unanswered()).toEqual([`The stub {"match":"limit 5"} ${sentence}`])
    await stubs.answer('SELECT a', signal)
    expect(stubs.unanswered()).toEqual([
      `The stub {"match":{"shape":"SELECT 2"}} ${sentence}`,
      `The stub {"match":"limit 6"} ${sentence}`,
      `The stub {"match":"limit 5"} ${sentence}`,
    ])
    stubs.replace([])
    expect(stubs.unanswered()).toEqual([])
  })

  test('may name a view in capitals, and one that its statement defines', async () => {
    expect(await matched('V_Formulas', 'SELECT * FROM v_formulas')).toBe(true)
    expect(await matched({ shape: 'SELECT * FROM V_FORMULAS' }, 'SELECT * FROM V_FORMULAS')).toBe(true)
    const own = "WITH v_own AS (SELECT 1 AS v_one) SELECT v_one, ' from v_text' FROM v_own"
    for (const match of [own, { shape: own }]) expect(await matched(match, own)).toBe(true)
    const quoted = "SELECT id FROM v_formulas WHERE name = 'away from v_text'"
    expect(await matched({ shape: quoted }, quoted)).toBe(true)
    expect(await matched('max(x) as v_max', 'SELECT max(x) AS v_max FROM v_formulas')).toBe(true)
  })

  test('waits, alone or before its answer, and no longer than its client', async () => {
    const started = performance.now()
    expect(await stubsOf({ match: '*', delayMs: 30 }).answer('SELECT 1', signal)).toBeUndefined()
    expect(performance.now() - started).toBeGreaterThanOrEqual(28)
    const client = new AbortController()
    const late = stubsOf({ match: '*', delayMs: 60_000, rows: [] }).answer('SELECT 1', client.signal)
    client.abort(new Error('left'))
    await expect(late).rejects.toThrow('left')
  })
})

test.each([
  [7, 'is not an object'],
  [{ match: '*' }, 'has no answer'],
  [{ match: '*', rows: [], status: 503 }, 'has several answers'],
  [{ match: '*', row: [] }, 'has the unknown member row'],
  [{ match: '*', rows: {} }, 'The rows are not an array of objects.'],
  [{ match: '*', rows: [{}, { text: '\ud800' }] }, 'rows[1].text contains a character'],
  [{ match: '*', rows: [1] }, 'The rows are not an array of objects.'],
  [{ match: '*', error: 'oops' }, 'has an unknown error'],
  [{ match: '*', status: 200 }, 'has an invalid status'],
  [{ match: '*', delayMs: -1 }, 'has an invalid delayMs'],
  [{ match: '*', delayMs: '5' as never }, 'has an invalid delayMs'],
  [{ match: '*', delayMs: 1e12 }, 'Give milliseconds from 0 to 2147483647'],
  [{ match: '*', rows: [], times: 0 }, 'has invalid times'],
  [{ rows: [] }, 'has no match'],
  [{ match: ' ', rows: [] }, 'matches nothing'],
  [{ match: '/limit 5/i', rows: [] }, 'A regular expression is not possible here. Write words'],
  [{ match: { shape: ' ' }, rows: [] }, 'has no match'],
  [
    { match: 'v_formulaz', rows: [] },
    'has a match that does not work. There is no view v_formulaz. The views are: v_bio',
  ],
  [{ match: ' V_FORMULA ', rows: [] }, 'There is no view V_FORMULA.'],
  [{ match: 'from "v_formulaz"', rows: [] }, 'There is no view v_formulaz.'],
  [{ match: { shape: 'SELECT * FROM v_a a JOIN v_formulas' }, rows: [] }, 'There is no view v_a.'],
])('%j is no stub, and nothing changes', (given, message) => {
  const stubs = stubsOf({ match: 'v_formulas', rows: [] })
  for (const change of [() => stubs.add([given as Stub]), () => stubs.replace([given as Stub])])
    expect(change).toThrow(StubError)
  expect(() => stubs.add([given as Stub])).toThrow(message)
  expect(stubs.list()).toHaveLength(1)
})
