import { Hono } from 'hono'
import { microsOf } from '../../../../base/time/micros.ts'
import { durationIn } from '../../../../base/time/duration.ts'
import { Refusal } from '../../answer/refusal.ts'
import { RowError } from '../../../rows/row-problems.ts'
import type { SessionRows } from '../../../rows/session-rows.ts'
import { isObject, json, readJson, type SessionOf } from '../routes.ts'

/**
 * `/_mock/clock`: GET tells the time of the session; POST moves it: `{"advance": "4h"}`, `{"set": "2026-01-02T00:00:00Z"}`,
 * `{"speed": 60}` lets it run, and `{"speed": 0}` freezes it. The rows change as the plant's do.
 */
export function clockRoutes(sessionOf: SessionOf): Hono {
  return new Hono()
    .get('/', ({ req }) => json(sessionOf(req.raw).rows.clock.state))
    .post('/', async ({ req }) => {
      const given = await readJson(req.raw)
      const { rows } = sessionOf(req.raw)
      try {
        await moveClock(rows, isObject(given) ? given : {}, req.raw.signal)
      } catch (error) {
        if (error instanceof RangeError) throw new Refusal(400, error.message)
        throw error
      }
      return json(rows.clock.state)
    })
}

/** @throws RowError or RangeError */
async function moveClock(rows: SessionRows, given: object, signal: AbortSignal): Promise<void> {
  const [[name, value] = [], ...rest]: [string?, unknown?][] = Object.entries(given)
  if (rest.length === 0) {
    if (name === 'advance' && typeof value === 'string') {
      const ms = durationIn(value)
      if (ms === undefined)
        throw new RowError(`advance is "${value}". Write one number with d, h, m, s or ms, such as "4h".`)
      return rows.advance(Math.round(ms * 1000), signal)
    }
    if (name === 'set' && typeof value === 'string') return rows.setTime(microsOf('set', value), signal)
    if (name === 'speed' && typeof value === 'number') return rows.runTime(value, signal)
  }
  throw new RowError('Send one of {"advance": "4h"}, {"set": "2026-01-02T00:00:00Z"} and {"speed": 60}.')
}
