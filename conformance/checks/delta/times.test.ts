import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../../connection/handmade.test-helper.ts'
import { deltaTimeChecks, printedTime } from './times.ts'

const HOUR = 3_600_000
const at = (hour: number, zone = 'Z'): string =>
  new Date(Date.UTC(2025, 5, 1) + hour * HOUR).toISOString().slice(0, 19) + zone
const rowsAt = (hours: readonly number[], zone?: string) =>
  hours.map((hour, n) => ({ id: `q${n}`, last_updated_at: at(hour, zone) }))
const DENSE = [0, 200, 205, 207, 208, 209, 211, 240, 400]

test('printedTime is the time with the most others in the hours around it', () => {
  expect(printedTime(rowsAt(DENSE))).toMatchObject({ text: at(208), sql: `'${at(208)}'` })
})

test('printedTime prefers a time with a further one of its day', () => {
  const hours = [1, 9, 10, 11, 23, 201, 202, 203, 204, 205]
  expect(printedTime(rowsAt(hours), 'older')?.text).toBe(at(10))
  expect(printedTime(rowsAt(hours), 'newer')?.text).toBe(at(10))
  expect(printedTime(rowsAt(hours.slice(1)), 'older')?.text).toBe(at(203))
})

test('printedTime needs one zone in all rows', () => {
  expect(printedTime(rowsAt(DENSE, ''))).toBeUndefined()
  expect(printedTime([...rowsAt([1, 2]), ...rowsAt([3, 4], '+01:00')])).toBeUndefined()
})

/** The outcomes against a service that reads the bound as `read` says. */
async function outcomes(read: (bound: number) => number) {
  const all = rowsAt(DENSE)
  const target = () =>
    handmade({
      rows: { v_quantities: all, ...manyRows },
      answer: ({ sql }) => {
        const bound = / FROM v_quantities WHERE last_updated_at > '(.+?)'/.exec(sql)?.[1]
        if (bound === undefined) return undefined
        return rowsReply(all.filter((row) => Date.parse(row.last_updated_at) > read(Date.parse(bound))))
      },
    })
  const findings = await Promise.all(deltaTimeChecks.map((each) => each.run(target())))
  return findings.map(({ outcome }) => outcome)
}

test('a target that compares the times it prints passes', async () => {
  expect(await outcomes((bound) => bound)).toEqual(['pass', 'pass'])
})

test('delta.since-time fails if printed times are hours off', async () => {
  expect(await outcomes((bound) => bound + 2 * HOUR)).toEqual(['fail', 'not-exercised'])
})

test('a target that reads only the date of a literal gets a warning', async () => {
  expect(await outcomes((bound) => bound - (bound % (24 * HOUR)))).toEqual(['observed', 'fail'])
})
