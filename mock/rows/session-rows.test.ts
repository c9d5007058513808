import { expect, test, vi } from 'vitest'
import { day, iso, microsOf } from '../../base/time/micros.ts'
import { engineOf, rows } from '../app/request.test-helper.ts'
import type { PlantClock } from './session-clock.ts'
import { SessionRows } from './session-rows.ts'

const asOf = '2026-01-01T00:00:00.000000+00:00'

/** The rows of a session in a plant that changes as many rows in each step. */
function sessionOf(rowsOfStep: number) {
  const put = Array.from({ length: rowsOfStep }, (_, n) => ({ id: `${n}` }))
  const changes = vi.fn<NonNullable<PlantClock['changes']>>(async () => [
    { view: 'v_quantities', put, remove: [] },
  ])
  const engine = engineOf(() => rows('{"one":1}'))
  const execute = vi.spyOn(engine, 'execute')
  const session = new SessionRows({
    engine: () => engine,
    plant: { now: () => undefined, asOf, changes },
  })
  return { session, changes, execute }
}

test('a time that is too far away for the rows of a session is refused after its first month, before a database tries it', async () => {
  const { session, changes, execute } = sessionOf(40_000)
  const far = session.setTime(microsOf('far', '9999-12-31T23:59:59Z'))
  await expect(far).rejects.toThrow(/at most 500000 rows\. Move its time less far/)
  expect(changes).toHaveBeenCalledTimes(1)
  expect(execute).not.toHaveBeenCalled()
  await session.advance(372 * day)
  expect(changes).toHaveBeenCalledTimes(13)
  expect(iso(session.clock.time)).toBe('2027-01-08T00:00:00.000000+00:00')
})

test('a change whose client leaves ends with the month, those that wait do not begin, and nothing has changed', async () => {
  const { session, changes } = sessionOf(1)
  const client = new AbortController()
  changes.mockImplementationOnce(async () => {
    client.abort(new Error('gone'))
    return []
  })
  const moves = [session.advance(310 * day, client.signal), session.advance(day, client.signal)]
  const put = session.put({ v_quantities: [{ id: 'q' }] }, client.signal)
  for (const change of [...moves, put]) await expect(change).rejects.toThrow('gone')
  expect(changes).toHaveBeenCalledTimes(1)
  expect(iso(session.clock.time)).toBe(asOf)
  await session.advance(day)
  expect(session.overlay?.changes).toHaveLength(1)
})
