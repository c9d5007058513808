import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { isBelowCap } from './below-cap.ts'

/** No answer of the service has more rows, or as wide ones. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: 'wide '.repeat(200) }))

test.each([
  ['more rows to another spelling', 'SELECT id, name FROM v_bioprocesses LIMIT 21', 21, true],
  ['more rows to a lower LIMIT', 'SELECT id, name FROM v_bioprocesses LIMIT 20', 20, true],
  [
    'one row more, which a cap on bytes may explain',
    'SELECT id, name FROM v_bioprocesses LIMIT 18',
    18,
    false,
  ],
  ['more rows without LIMIT', 'SELECT id, name FROM v_bioprocesses', 21, false],
  ['more rows with other columns', 'SELECT name FROM v_bioprocesses LIMIT 21', 21, false],
  ['as many rows', 'SELECT id, name FROM v_bioprocesses LIMIT 21', 17, false],
] as const)('an answer beside one with %s', async (_, other, count, isBelow) => {
  const sql = 'SELECT id, name FROM v_bioprocesses LIMIT 021'
  const t = handmade({
    answer: ({ sql: asked }) => rowsReply(asked === sql ? rows(17) : asked === other ? rows(count) : []),
  })
  await t.query(other)
  expect(await isBelowCap(t, { sql, reply: await t.query(sql) })).toBe(isBelow)
})
