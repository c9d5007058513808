import { expect, test } from 'vitest'
import { handmade, rowsReply } from './handmade.test-helper.ts'
import { TransportError } from './http/transport-error.ts'

/** The outcomes of some readings of one shared statement; the first `lost` connections are closed. */
async function readings(lost: number, times: number): Promise<string[]> {
  let asked = 0
  const target = handmade({
    answer: () => {
      if (++asked > lost) return rowsReply([])
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      })
    },
  })
  const found: string[] = []
  for (let n = 0; n < times; n++)
    found.push(
      await target.shared('SELECT id FROM v_quantities').then(
        () => 'read',
        (error: unknown) => (error instanceof TransportError ? 'lost' : 'error'),
      ),
    )
  return [...found, `${asked} requests`]
}

test('a shared reading whose connection was closed is repeated for the next check, once', async () => {
  expect(await readings(1, 3)).toEqual(['lost', 'read', 'read', '2 requests'])
  expect(await readings(5, 3)).toEqual(['lost', 'lost', 'lost', '2 requests'])
})
