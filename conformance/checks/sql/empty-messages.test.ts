import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import { emptyMessagesCheck } from './empty-messages.ts'

const quantities = [{ id: 'q1' }, { id: 'q2' }]

/** Runs the check against a service with other messages to some statements. */
const run = (messageOf: (sql: string, usual: string) => string) =>
  emptyMessagesCheck.run(
    handmade({
      rows: { v_quantities: quantities, v_bioprocesses: quantities },
      answer: ({ sql }) => {
        const rows =
          /v_(quantities|bioprocesses)/.test(sql) && !/ > '2\d\d\d-|MAX/.test(sql) ? quantities : []
        return rowsReply(rows, messageOf(sql, rows.length > 0 ? 'done' : 'no results'))
      },
    }),
  )

test('a message without rows may not be that of statements with rows', async () => {
  expect(await run((_, usual) => usual)).toMatchObject({ outcome: 'pass' })
  expect(
    await run((sql, usual) => (sql.startsWith('SELECT * FROM v_formulas') ? 'done' : usual)),
  ).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(
      /^`SELECT \* FROM v_formulas .*` returns no rows, with the message of a statement that returns rows$/,
    ),
    expected: 'a different message without rows',
  })
})

test('a message with rows may not be that of statements without rows', async () => {
  const finding = await run((sql, usual) =>
    sql.startsWith('SELECT * FROM v_quantities') ? 'no results' : usual,
  )
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(
      /^`SELECT \* FROM v_quantities .*` returns rows, with the message of a statement that returns none$/,
    ),
    expected: 'a different message with rows',
  })
  expect(finding.exchanges?.at(-1)?.request.body).toContain('SELECT * FROM v_quantities')
})
