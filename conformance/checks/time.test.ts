import { describe, expect, test } from 'vitest'
import type { Exchange } from '../connection/exchange.ts'
import { checkEarliness, checkEnd } from './time.ts'

const limit = 30_000
const body = { success: '{"data":[],"status":{"state":"success","message":""}}', other: '<h1>no</h1>' }

const answered = (status: number, durationMs: number, text = body.other): Exchange => ({
  request: { method: 'POST', url: 'http://localhost/', headers: {}, body: '' },
  response: { status, headers: new Headers(), text, bytes: text.length },
  durationMs,
})
const silent = (durationMs: number): Exchange => {
  const { response: _, ...rest } = answered(0, durationMs)
  return { ...rest, failure: 'the connection was closed.' }
}
const served = answered(200, 20, body.success)

describe('how a long statement ended', () => {
  test.each([
    ['a 504 at the limit', answered(504, 30_010), 'pass'],
    ['a 504 somewhat early', answered(504, 29_600), 'pass'],
    ['a 504 early, which is a should', answered(504, 10_000), 'pass'],
    ['a 504 within the margin', answered(504, 34_900), 'pass'],
    ['a late 504', answered(504, 35_100), 'fail'],
    ['a 500 at the limit', answered(500, 30_000), 'fail'],
    ['a 500 before the limit', answered(500, 10_000), 'fail'],
    ['a success after its sleep', answered(200, 45_000, body.success), 'fail'],
    ['a success at the limit', answered(200, 30_100, body.success), 'fail'],
    ['a success before the limit', answered(200, 29_000, body.success), 'not-exercised'],
    ['a refusal at once', answered(400, 50), 'not-exercised'],
    ['a broken connection at the limit', silent(30_000), 'fail'],
    ['a broken connection before it', silent(10_000), 'fail'],
    ['silence', silent(50_000), 'fail'],
  ])('%s', (_, long, outcome) => {
    expect(checkEnd({ long, after: served }, limit).outcome).toBe(outcome)
  })

  test.each([
    ['served', served, 'pass'],
    ['not possible', answered(503, 20), 'fail'],
    ['refused for its rate', answered(429, 20), 'inconclusive'],
    ['never answered', silent(5000), 'fail'],
  ])('a small statement afterwards is %s', (_, after, outcome) => {
    expect(checkEnd({ long: answered(504, 30_000), after }, limit).outcome).toBe(outcome)
  })

  test('a statement that ends at once and leaves nothing served tells nothing of the limit', () => {
    const dead = answered(502, 3)
    expect(checkEnd({ long: dead, after: dead }, limit)).toMatchObject({
      outcome: 'inconclusive',
      message:
        'the slow statement ended with HTTP 502 after 0.0 s, and a small one after it was not served either',
    })
  })

  test.each([
    ['first', true, 'was answered meanwhile and afterwards'],
    ['not first', false, 'was answered, not meanwhile but afterwards'],
  ])('a small statement sent meanwhile comes %s, which is only told', (_, first, words) => {
    const finding = checkEnd(
      { long: answered(504, 30_000), meanwhile: { ...served, first }, after: served },
      limit,
    )
    expect(finding.outcome).toBe('pass')
    expect(finding.message).toContain(words)
  })

  test.each([
    ['served in full', answered(200, 45_000, body.success), 'nothing ended it'],
    ['answered otherwise', answered(500, 30_000), 'not ended with HTTP 504'],
    ['answered late', answered(504, 36_000), 'came late'],
    ['cut off', silent(30_000), 'got no answer: the connection was closed'],
  ])('a statement that is %s is told apart', (_, long, words) => {
    expect(checkEnd({ long, after: served }, limit).message).toContain(words)
  })

  test.each([
    ['at the limit', answered(504, 30_000), 'pass'],
    ['half a second early', answered(504, 29_500), 'pass'],
    ['a second early', answered(504, 29_000), 'fail'],
    ['never', answered(500, 29_000), 'not-exercised'],
    ['for want of a connection', silent(29_000), 'not-exercised'],
  ])('the 504 comes %s', (_, long, outcome) => {
    expect(checkEarliness({ long, after: served }, limit).outcome).toBe(outcome)
  })
})
