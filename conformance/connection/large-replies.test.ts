import { expect, test } from 'vitest'
import { concealed, disclosing } from './redaction/disclosure.ts'
import { handmade, rowsReply } from './handmade.test-helper.ts'
import { show } from './values/json.ts'
import { describeReply } from './http/reply.ts'
import { Secrets, TOKEN_VARIABLE } from './redaction/secrets.ts'

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `7f9c24e8-3b12-4fef-91e0-${String(n).padStart(12, '0')}`,
    name: `quantity ${n} of a service that returns whole views`,
    unit: 'g/L',
    last_updated_at: '2026-01-31T08:00:00.000000+00:00',
    value: n * 1.5,
  }))

test('a whole view of 100,000 rows and 20 MB is read', async () => {
  const all = rows(100_000)
  const target = handmade({ answer: () => rowsReply(all) })
  const { reply, rows: read } = await target.select('SELECT id, name FROM v_quantities', ['id', 'name'])
  expect(reply.exchange.response!.bytes).toBeGreaterThan(18_000_000)
  expect(read).toHaveLength(100_000)
  expect(read.at(-1)).toMatchObject({ id: '7f9c24e8-3b12-4fef-91e0-000000099999' })
})

test('an answer with far more rows than its LIMIT is not compared', async () => {
  const target = handmade({ answer: () => rowsReply(rows(20_000)) })
  const sql = 'SELECT id FROM v_quantities LIMIT 5'
  await expect(target.select(sql, ['id'])).rejects.toThrow(`\`${sql}\` returned 20000 rows`)
})

test('a reply is described by the start of its message', async () => {
  const target = handmade({ answer: () => rowsReply([], 'm'.repeat(1_000_000)) })
  const reply = await target.query('SELECT id FROM v_quantities')
  expect(reply.message).toHaveLength(10_001)
  expect(describeReply(reply).length).toBeLessThan(10_100)
})

test('the start of a message has no part of a token that stands where it is cut', async () => {
  const secrets = new Secrets()
  secrets.add('s3cret-token-of-the-run', TOKEN_VARIABLE)
  const target = handmade({
    answer: () => rowsReply([], `${'m'.repeat(9_990)}s3cret-token-of-the-run${'m'.repeat(99)}`),
  })
  const { message } = await secrets.during(() => target.query('SELECT id FROM v_quantities'))
  expect(message).not.toContain('s3cret')
})

test('of a long value only the start is concealed, and its tag depends on all of it', async () => {
  const long = 'a1'.repeat(500_000)
  await disclosing('hashed', async () => {
    expect(concealed(long)).toHaveLength(10_000)
    expect(show(long)).toMatch(/^"(x0)+x?… #[0-9a-f]{6}$/)
    expect(show(`${long}b`)).not.toBe(show(long))
  })
})
