import { expect, test } from 'vitest'
import { wrongWord } from './mark.ts'

test.each([
  ['SELCT * FROM v_bioprocesses', 'JSON decode error: syntax error at or near SELCT', 'SELCT'],
  ['SELECT a, nope FROM v', 'SqlError: column "nope" does not exist', 'nope'],
  ['SELECT * FROM V_Unknown u', 'relation "v_unknown" does not exist', 'V_Unknown'],
  ['SELECT b.nope FROM v_bioprocesses b', 'column b.nope does not exist', 'b.nope'],
  ['SELECT nope_too FROM v', 'column "nope" does not exist', undefined],
  ['SELECT 1', 'Error executing statement', undefined],
  ['SELECT 1', undefined, undefined],
])('in %j, %j marks %j', (statement, message, word) => {
  const range = wrongWord(statement, message)
  expect(range && statement.slice(range.from, range.to)).toBe(word)
})
