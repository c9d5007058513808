import { askInSequence } from '../../search/sequence.ts'
import { check, compared, fail, observed, warn, type Check } from '../check.ts'

const ONE_CONNECTION =
  'Requests one after another use one connection if the target keeps it open: to repeat them, join their curl commands with --next.'

/** What a target does with a request every time, whatever comes before it on the connection or is in flight with it. */
const kinds: [id: string, requirement: string, title: string, killedBy: string[]][] = [
  [
    'served',
    'REQ-HTTP-1',
    'execute a statement behind any other request of its connection',
    [
      'statement-refused-behind-error',
      'second-statement-behind-error-lost',
      'statement-refused-behind-exception',
      'views-unknown-behind-exception',
    ],
  ],
  ['select', 'REQ-SQL-2', 'return the rows of a statement every time', ['rows-kept-behind-broken-body']],
  ['limit', 'REQ-SQL-3', 'apply the LIMIT of a statement every time', ['limit-kept-for-next-statement']],
  [
    'date',
    'REQ-DELTA-6',
    'apply the date of a delta every time',
    ['filter-dropped-behind-error', 'sixth-execution-with-first-date'],
  ],
  [
    'newest',
    'REQ-DELTA-7',
    'apply the newest row of the named view every time',
    ['answers-cached-by-sorted-words'],
  ],
  ['join', 'REQ-JOIN-1', 'return the rows of a join every time', ['answers-cached-by-sorted-words']],
  ['unknown-view', 'REQ-ERR-1', 'refuse an unknown view behind a statement', ['last-success-for-refusals']],
  [
    'unknown-function',
    'REQ-ERR-6',
    'refuse an unknown function behind a statement',
    ['last-success-for-refusals'],
  ],
  ['syntax-error', 'REQ-ERR-4', 'refuse a syntax error behind a statement', ['last-success-for-refusals']],
  [
    'invalid-json',
    'REQ-ERR-3',
    'refuse a body that is not JSON behind a statement',
    ['last-success-for-refusals'],
  ],
  [
    'invalid-token',
    'REQ-AUTH-2',
    'refuse an invalid token behind a valid one',
    ['last-success-for-refusals'],
  ],
]

/** Checks of requests that are repeated, in sequence on one connection and two in flight. */
export const steadyChecks: Check[] = kinds.map(([name, requirement, title, killedBy]) =>
  check({
    id: `replies.steady:${name}`,
    title,
    killedBy,
    requirement,
    phase: 'alone',
    repeats: true,
    run: async (t) => {
      const sequence = await t.once('sequence', () => askInSequence(t))
      if (!sequence) return observed('no view whose rows do not change could be read whole')
      const isOwn = (one: { requirement: string }) => one.requirement === requirement
      const failure = sequence.always.find(isOwn)
      if (failure) return fail({ ...failure, notes: [ONE_CONNECTION] })
      const warning = sequence.once.find(isOwn)
      if (warning)
        return warn({
          ...warning,
          notes: ['Repetitions of the requests did not show it again.', ONE_CONNECTION],
        })
      const count = sequence.counts.get(requirement) ?? 0
      return count === 0
        ? observed('no such request was sent')
        : compared(count, 'reply', 'right behind and beside other requests')
    },
  }),
)
