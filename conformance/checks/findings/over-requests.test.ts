import { expect, test } from 'vitest'
import type { Exchange } from '../../connection/http/exchange.ts'
import { compared, fail, notExercised } from '../check.ts'
import { overRequests } from './over-requests.ts'

const exchange = (body: string): Exchange => ({
  request: { method: 'POST', url: '/', headers: {}, body },
  durationMs: 0,
})
const pass = (notes: string[] = []) => compared(1, 'reply', 'fine', { notes })
const failure = (message: string, body: string) =>
  fail({ message, expected: 'an error', actual: body, exchanges: [exchange(body)] })

test('findings of several requests fail with the first failure and the names of all', () => {
  const finding = overRequests(
    [
      ['one', pass()],
      ['two', failure('a comment was served', 'b')],
      ['three', failure('a comment got no envelope', 'c')],
      ['four', failure('a comment was served', 'd')],
    ],
    'an error',
  )
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: 'a comment was served: two, four; a comment got no envelope: three',
    actual: 'b',
  })
  // curl repeats the last one
  expect(finding.exchanges?.at(-1)?.request.body).toBe('b')
  expect(finding.exchanges).toHaveLength(3)
})

test('findings of several requests pass with the number of passes, the names of the others and each note once', () => {
  expect(
    overRequests(
      [
        ['one', pass(['n'])],
        ['two', notExercised('refused')],
        ['three', pass(['n'])],
      ],
      'an error',
    ),
  ).toEqual({ outcome: 'pass', message: '2 replies: an error; not exercised: two', notes: ['n'] })
})

test('findings of several requests are not exercised if none of them is', () => {
  expect(overRequests([['one', notExercised('refused')]], 'an error')).toEqual(notExercised('refused'))
})
