import { expect, test } from 'vitest'
import { storedLine } from './stored-line.ts'

const stored = (statement: string): unknown => {
  const line = storedLine(
    {
      startedMs: 0,
      endedMs: 1,
      method: 'POST',
      path: '/external/v1/statements/',
      headers: {},
      body: { text: JSON.stringify({ statement }), isWhole: true },
      ending: 'reset',
    },
    0,
    false,
  )
  return (JSON.parse(line) as { statement: unknown }).statement
}

test.each([
  ["SELECT 'Jane'", "SELECT 'xxxx'"],
  ["SELECT '2025-01-01 Jane'", "SELECT 'xxxx-xx-xx xxxx'"],
  ['SELECT $q$Jane$q$, $$Jane', 'SELECT $x$xxxx$x$, $$xxxx'],
  [String.raw`SELECT E'\'Jane', 'Jane'`, String.raw`SELECT x'\'xxxx', 'xxxx'`],
  ["SELECT 1 -- it's for Jane\nWHERE id = 'Jane'", "SELECT 1 -- xx'x xxx xxxx\nWHERE id = 'xxxx'"],
  ["SELECT 1 /* Jane's */", "SELECT 1 /* xxxx'x */"],
  ["SELECT 'Jane", "SELECT 'xxxx"],
])('the statement %s is stored as %s', (statement, concealed) => {
  expect(stored(statement)).toBe(concealed)
})

test.each(['SELECT "id" FROM v_formulas LIMIT 10', "SELECT 1 WHERE t > '2025-01-01T08:00:00.5+01:00'"])(
  'the statement %s is stored as it is',
  (statement) => expect(stored(statement)).toBe(statement),
)
