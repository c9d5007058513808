import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../connection/handmade.test-helper.ts'
import { joinChecks } from './join.ts'

const check = joinChecks.find(({ id }) => id === 'join.equals-own-join')!

const at = (second: number) => `2025-01-01T00:00:00.${100 + second}Z`
const ids = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
const series = [...ids, ...ids].map((id, n) => ({
  id: `s${n}`,
  bioprocess_id: id,
  last_updated_at: at(0),
}))

/** A service that writes the name of the first bioprocess before each statement, if it `writes`. */
function joining({ writes, wrong }: { writes: boolean; wrong?: string }) {
  let version = 0
  const runs = () =>
    ids.map((id) => {
      const written = id === 'r0' ? version : 0
      return { id, name: `${id} ${written}`, last_updated_at: at(written) }
    })
  return handmade({
    rows: { ...manyRows, v_timeseries: series },
    answer: ({ sql }) => {
      if (writes) version++
      if (sql.includes('LEFT JOIN v_bioprocesses')) {
        const [, list = ''] = /^SELECT (.+) FROM/.exec(sql) ?? []
        return rowsReply(
          series.map((row) => {
            const id = row.bioprocess_id === wrong ? 'r1' : row.bioprocess_id
            const all = { ...row, ...runs().find((run) => run.id === id), bioprocess_id: row.bioprocess_id }
            if (list === '*') return all
            return Object.fromEntries(
              list.split(', ').map((item) => [item.slice(2), all[item.slice(2) as keyof typeof all]]),
            )
          }),
        )
      }
      const [, list] = /^SELECT (.+) FROM v_bioprocesses\b/.exec(sql) ?? []
      if (list === undefined) return undefined
      return rowsReply(
        runs().map((run) =>
          list === '*'
            ? run
            : Object.fromEntries(Object.entries(run).filter(([name]) => list.includes(name))),
        ),
      )
    },
  })
}

test('a join over data that stay as they are equals the join in the client', async () => {
  expect(await check.run(joining({ writes: false }))).toMatchObject({ outcome: 'pass' })
})

test('a bioprocess that changes during the join and its retry is left out', async () => {
  const target = joining({ writes: true })
  expect(await check.run(target)).toMatchObject({ outcome: 'inconclusive', concurrentChange: true })
  expect(await check.run(target.fresh())).toMatchObject({
    outcome: 'pass',
    message: expect.stringContaining('but for 2 that changed'),
  })
})

test.each([false, true])('a wrong partner is found; while data change: %s', async (writes) => {
  expect(await check.run(joining({ writes, wrong: 'r5' }))).toMatchObject({
    outcome: 'fail',
    message: 'the join pairs bioprocess_id "r5" with a row that is not its bioprocess',
  })
})
