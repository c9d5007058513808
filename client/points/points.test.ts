import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientOf, json, rejection, rows } from '../service.test-helper.ts'

interface Point {
  id: string
  timestamp: string
  value: number
  data_item_id: null
}

const point = (id: string, ms: number, value = 0): Point => ({
  id,
  timestamp: new Date(Date.UTC(2025, 11, 1) + ms).toISOString(),
  value,
  data_item_id: null,
})

/** Microseconds since 1970. */
const micros = (text: string) =>
  Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0'))

/** Answers the statements of both kinds of pages over some points. @param print shortens the printed times */
function service(points: readonly Point[], print = (text: string) => text, most = Infinity) {
  const order = (a: Point, b: Point) =>
    a.id + a.timestamp < b.id + b.timestamp ? -1 : Number(a.id + a.timestamp > b.id + b.timestamp)
  return (statement: string): Response => {
    const times = points.map(({ timestamp }) => timestamp).toSorted()
    if (statement.endsWith('FROM v_timeseries'))
      return rows(
        [...new Set(points.map(({ id }) => id))].map((id) => ({
          id,
          start_timestamp: print(times[0]!),
          end_timestamp: print(times.at(-1)!),
        })),
      )
    const part = (pattern: RegExp) => pattern.exec(statement)?.slice(1)
    const [series] = part(/\bid = '(\w+)'/) ?? []
    const [from] = part(/timestamp >= '([^']+)'/) ?? []
    const [to] = part(/timestamp < '([^']+)'/) ?? []
    const [id, time] = part(/\(id, timestamp\) >= \('(\w+)', '([^']+)'\)/) ?? []
    const [limit] = part(/LIMIT (\d+)/) ?? []
    const found = points.filter(
      (one) =>
        (series === undefined || one.id === series) &&
        (from === undefined || micros(one.timestamp) >= micros(from)) &&
        (to === undefined || micros(one.timestamp) < micros(to)) &&
        (id === undefined || one.id > id || (one.id === id && micros(one.timestamp) >= micros(time!))),
    )
    const given = found.toSorted(order).slice(0, Number(limit ?? Infinity))
    const isCut = given.length > most
    return rows(
      given.slice(0, most).map((one) => ({ ...one, timestamp: print(one.timestamp) })),
      isCut ? { truncated: true } : {},
    )
  }
}

const seconds = (text: string) => text.replace(/\.\d+/, '')

const all = async <T>(pages: AsyncIterable<T[]>): Promise<T[]> => {
  const found: T[] = []
  for await (const page of pages) {
    expect(page.length).toBeGreaterThan(0)
    found.push(...page)
  }
  return found
}
const texts = (points: readonly object[]) => points.map((one) => JSON.stringify(one)).toSorted()

describe('points', () => {
  test.each(['keyset', 'time'] as const)(
    'paged by %s come once each, whatever their times',
    async (paging) => {
      const someTime = fc.oneof(fc.nat(5), fc.nat(10_000), fc.nat(40 * 86_400_000))
      const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), someTime, fc.nat(2)), {
        minLength: 1,
        maxLength: 60,
      })
      await fc.assert(
        fc.asyncProperty(some, fc.constantFrom(undefined, 'b'), async (given, series) => {
          const stored = given.map(([id, ms, value]) => point(id, ms, value))
          // a page has to hold more points than share one time
          const sharing = stored.map(
            (one) => stored.filter((two) => two.id + two.timestamp === one.id + one.timestamp).length,
          )
          const pageSize = Math.max(...sharing) + 1
          const { client } = clientOf(service(stored))
          const found = await all(client.points({ paging, pageSize, ...(series && { series }) }))
          expect(texts(found)).toEqual(
            texts(stored.filter(({ id }) => series === undefined || id === series)),
          )
        }),
        { numRuns: 60 },
      )
    },
  )

  test('paged by keyset come once each in small pages and with coarsely printed times', async () => {
    const stored = Array.from({ length: 50 }, (_, n) => point(n < 25 ? 'a' : 'b', n * 400, n))
    const { client, statements } = clientOf(service(stored, seconds))
    const found = await all(client.points({ pageSize: 7 }))
    expect(found.map(({ value }) => value)).toEqual(stored.map(({ value }) => value))
    expect(statements()[0]).toBe('SELECT * FROM v_timeseries_data ORDER BY id, timestamp LIMIT 7')
  })

  test('that are stored several times come as often, also across the end of a page', async () => {
    const stored = [point('a', 0), point('a', 1), point('a', 2), point('a', 2), point('a', 2)]
    const { client } = clientOf(service(stored))
    expect(await all(client.points({ pageSize: 4 }))).toEqual(stored)
  })

  test('paged by time include the last one if times are printed in whole seconds', async () => {
    const stored = Array.from({ length: 5 }, (_, n) => point('a', n * 400, n))
    const { client } = clientOf(service(stored, seconds))
    expect(await all(client.points({ paging: 'time' }))).toHaveLength(5)
  })

  test.each(['keyset', 'time'] as const)(
    'paged by %s are read up to a time between two milliseconds',
    async (paging) => {
      const stored = Array.from({ length: 4 }, (_, n) => ({
        ...point('a', 0, n),
        timestamp: `2025-12-01T00:00:00.00000${n + 1}Z`,
      }))
      const { client } = clientOf(service(stored))
      const span = { from: '2025-12-01T00:00:00Z', to: '2025-12-01T00:00:00.000004Z' }
      const found = await all(client.points({ series: 'a', ...span, paging }))
      expect(found.map(({ value }) => value)).toEqual([0, 1, 2])
    },
  )

  test('that are equal in a whole page end with an error that names the remedy', async () => {
    const { client } = clientOf(service(Array.from({ length: 9 }, (_, n) => point('a', 0, n))))
    expect(await rejection(all(client.points({ pageSize: 4 })))).toMatchObject({
      name: 'ClientUsageError',
      message: expect.stringContaining('larger pageSize'),
    })
  })

  test('paged by time are read in shorter periods after a 504 and after a truncated answer', async () => {
    const stored = Array.from({ length: 40 }, (_, n) => point('a', n * 60_000, n))
    for (const fail of [
      (statement: string, n: number) => (n === 2 ? json({}, { status: 504 }) : service(stored)(statement)),
      service(stored, (text) => text, 9),
    ]) {
      const { client, statements } = clientOf(fail)
      expect(await all(client.points({ paging: 'time' }))).toHaveLength(40)
      expect(new Set(statements()).size).toBe(statements().length)
    }
  })

  test('are limited by from and to, exactly to the microsecond', async () => {
    const stored = [point('a', 1), point('a', 2), point('a', 3)]
    const span = { from: '2025-12-01T00:00:00.001500Z', to: '2025-12-01T00:00:00.003Z' }
    for (const paging of ['keyset', 'time'] as const) {
      const exact = service(stored)
      const { client } = clientOf((statement) => exact(statement.replace('.001500Z', '.002Z')))
      expect(await all(client.points({ ...span, paging }))).toEqual([stored[1]])
    }
  })

  test('have dates on request, and the next page still begins exactly', async () => {
    const stored = Array.from({ length: 10 }, (_, n) => point('a', n, n))
    const { client } = clientOf(service(stored))
    const found = await all(client.points({ pageSize: 3, dates: true }))
    expect(found.map(({ timestamp }) => timestamp.toISOString())).toEqual(
      stored.map(({ timestamp }) => timestamp),
    )
  })

  test.each([{ pageSize: 0 }, { pageSize: Number.NaN }, { from: 'yesterday' }])(
    'with %j are rejected',
    async (options) => {
      const { client, sent } = clientOf(() => rows([]))
      expect(await rejection(client.points(options).next())).toMatchObject({ name: 'ClientUsageError' })
      expect(sent).toEqual([])
    },
  )
})
