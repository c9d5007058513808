import { expect, test } from 'vitest'
import { handmade, manyRows, refuse, rowsReply, type Handmade } from '../connection/handmade.test-helper.ts'
import { probe } from './delta/zone.ts'

const HOUR = 3_600_000

const utc = (hour: number): string => new Date(Date.parse('2025-02-28T06:30:00Z') + hour * HOUR).toISOString()
const spaced = (hour: number): string => utc(hour).replace('T', ' ')
const inIndia = (hour: number): string => `${utc(hour + 5.5).slice(0, 23)}+05:30`

type IsNewer = (text: string, date: string) => boolean

const asTexts: IsNewer = (text, date) => text > date
const inZone =
  (offset: string): IsNewer =>
  (text, date) =>
    Date.parse(text) > Date.parse(`${`${date.replace(' ', 'T')}T00:00:00`.slice(0, 19)}${offset}`)

/** Quantities an hour apart, and which of them a service counts as newer than a date. */
function service(isNewer: IsNewer, print = utc): Handmade {
  const rows = Array.from({ length: 41 }, (_, hour) => ({ id: `q${hour}`, last_updated_at: print(hour) }))
  return {
    rows: { ...manyRows, v_quantities: rows },
    answer: ({ sql }) => {
      const [, date] = /FROM v_quantities WHERE last_updated_at > '([\dT: -]+)' LIMIT 900/.exec(sql) ?? []
      return date && rowsReply(rows.filter(({ last_updated_at: text }) => isNewer(text, date)))
    },
  }
}

const zoneOf = async (target: Handmade) => (await probe.observe(handmade(target)))?.variant

test('a date read in UTC is recognised, whichever separator the times have', async () => {
  expect(await zoneOf(service(inZone('Z')))).toBe('utc')
  expect(await zoneOf(service(inZone('Z'), spaced))).toBe('utc')
})

test('the separator of date and time distinguishes texts of one zone from times', async () => {
  expect(await zoneOf(service(asTexts))).toBe('text-comparison')
  expect(await zoneOf(service(asTexts, spaced))).toBe('text-comparison')
})

test('the order distinguishes texts of two zones from times, because no zone explains it', async () => {
  expect(await zoneOf(service(asTexts, (hour) => (hour % 2 === 0 ? utc(hour) : inIndia(hour))))).toBe(
    'text-comparison',
  )
})

test('a service that refuses times of day is recognised by its dates', async () => {
  const timeOfDay = /> '\d{4}-\d\d-\d\d[T ]12:00:00'/
  const { answer, ...rest } = service(asTexts)
  const own: Handmade = {
    ...rest,
    answer: (asked) => (timeOfDay.test(asked.sql) ? refuse(200) : answer?.(asked)),
  }
  expect(await zoneOf(own)).toBe('utc')
})

test.each(['+02:00', '-05:00', '+09:00'])('a date read in the zone %s is a session zone', async (offset) => {
  expect(await zoneOf(service(inZone(offset)))).toBe('session-zone')
})
