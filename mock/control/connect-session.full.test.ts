import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { startServer } from '../node/server.ts'

const later = "SELECT count(*) AS rows FROM v_timeseries_data WHERE last_updated_at > '2026-01-01T00:00:00Z'"

test('the time of a session is as before if it is moved too far, and can then be moved less far', async () => {
  const server = await startServer({ scale: 0.01, runs: 1, pointInterval: 1, tokens: ['secret'] })
  const { baseUrl, clock } = server.session()
  await expect(clock.set('2999-01-01T00:00:00Z')).rejects.toMatchObject({
    name: 'ControlError',
    status: 400,
    message: expect.stringMatching(/at most 500000 rows. Move its time less far/),
  })
  expect(await clock.now()).toBe('2026-01-01T00:00:00.000000+00:00')
  expect(await createClient({ baseUrl, token: 'secret' }).query(later)).toEqual([{ rows: 0 }])
  expect(await clock.advance('1h')).toBe('2026-01-01T01:00:00.000000+00:00')
  await server.close()
}, 300_000)

test('the rows of a session may be 50,000 at a time, and 32 MiB', async () => {
  const server = await startServer({ scale: 0.01, tokens: ['secret'] })
  const { rows, baseUrl } = server.session()
  const many = Array.from({ length: 50_000 }, (_, n) => ({ id: `q-${n}`, notes: 'x'.repeat(130) }))
  expect(await rows.put({ v_quantities: many })).toEqual({ v_quantities: 50_000 })
  const count = "SELECT count(*) FROM v_quantities WHERE id LIKE 'q-%'"
  expect(await createClient({ baseUrl, token: 'secret' }).query(count)).toEqual([{ count: 50_000 }])
  await expect(rows.put({ v_quantities: [...many, { id: 'more' }] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/There are 50001 rows\. Give at most 50000 at a time/),
  })
  const long = { v_quantities: [{ id: 'a', notes: 'x'.repeat(32 << 20) }] }
  await expect(rows.put(long)).rejects.toMatchObject({
    status: 413,
    message: 'The rows have more than 32 MiB. Send them in several requests.',
  })
  await server.close()
}, 300_000)
