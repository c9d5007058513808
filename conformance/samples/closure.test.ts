import { expect, test } from 'vitest'
import { handmade } from '../connection/handmade.test-helper.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { replyOrClosure } from './closure.ts'

/** Asks a target that closes the connection when a statement matches. */
function ask(closes: (sql: string) => boolean) {
  const target = handmade({
    answer: ({ sql }) => {
      if (closes(sql)) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' })
      return undefined
    },
  })
  return replyOrClosure(target, () => target.query('SELECT id FROM v_formulas LIMIT 1'))
}

test('a connection that is closed twice, with a served statement in between, is an answer', async () => {
  expect(await ask((sql) => sql.includes('v_formulas'))).toBeInstanceOf(TransportError)
})

test('a connection that is closed once is repeated', async () => {
  let times = 0
  expect(await ask(() => times++ === 0)).toMatchObject({ ok: true })
})

test('a target that serves nothing gives no answer', async () => {
  await expect(ask(() => true)).rejects.toThrow(TransportError)
})
