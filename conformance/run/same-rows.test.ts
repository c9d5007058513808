import { expect, test } from 'vitest'
import { wrongReply } from '../checks/check.ts'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { notesWithSameRows } from './same-rows.ts'

const FORMULAS = 'SELECT id FROM v_formulas'
const ROWS = [{ id: 'a' }, { id: 'b' }]

test.each([
  ['SELEC id FROM v_bioprocesses', ROWS, [`Its rows are those of the reply to \`${FORMULAS}\`.`]],
  ['SELEC id FROM v_formulas', ROWS, undefined],
  ['SELEC id FROM v_bioprocesses', [{ id: 'c' }, { id: 'd' }], undefined],
] as const)('a wrong reply to %s with the rows %j has the notes %j', async (sql, rows, notes) => {
  const t = handmade({ answer: (asked) => rowsReply(asked.sql === FORMULAS ? ROWS : [...rows]) })
  await t.query(FORMULAS)
  const finding = wrongReply(await t.query(sql), 'it was served', 'an error')
  expect(notesWithSameRows(t, finding)).toEqual(notes)
})
