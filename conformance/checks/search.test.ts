import { expect, test } from 'vitest'
import { handmade, manyRows, refuse } from '../connection/handmade.test-helper.ts'
import { Target } from '../connection/target.ts'
import { searchChecks } from './search.ts'

const formulas = Array.from({ length: 8 }, (_, n) => ({
  id: `f${n}`,
  name: `Formula ${n}`,
  formula: 'A',
  last_updated_at: `2025-0${n + 1}-05T12:00:00Z`,
}))

/** The findings of the search by the kind of statement. */
async function search(target: ReturnType<typeof handmade>) {
  const found = await Promise.all(
    searchChecks.map(async ({ id, run }) => [id.replace('search.', ''), await run(target)] as const),
  )
  return Object.fromEntries(found)
}

test('a target without a view that can be read whole is not judged, and its verdict has no gap for that', async () => {
  const findings = Object.values(await search(handmade({})))
  expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['observed']))
})

/** A target that answers statements without LIMIT with this response. */
const withoutLimit = (response: () => Response) =>
  handmade({
    rows: { ...manyRows, v_formulas: formulas },
    answer: ({ sql }) => (/ LIMIT | JOIN /.test(sql) ? undefined : response()),
  })

test('a target that refuses every statement without LIMIT with an error of SQL fails', async () => {
  const found = await search(withoutLimit(() => refuse(400)))
  expect(found['select']).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(/smallest: `SELECT [^`]+` \(every statement of its form is refused/),
  })
  expect(found['select']!.exchanges!.length).toBeGreaterThan(1)
  expect(found['limit']!.outcome).toBe('pass')
})

test.each([
  ['HTTP 503', () => refuse(503)],
  ['a page of a gateway', () => new Response('<html>', { status: 400 })],
])('a target that answers every statement without LIMIT with %s is inconclusive', async (_, response) => {
  const found = await search(withoutLimit(response))
  expect(found['select']).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringMatching(/statements? like `SELECT [^`]+` got HTTP (503|400)/),
  })
})

test('a target that also refuses other LIMITs than those of samples is inconclusive', async () => {
  const found = await search(
    handmade({
      rows: { ...manyRows, v_formulas: formulas },
      answer: ({ sql }) => (/ LIMIT (1|200|500|900|2500)$/.test(sql) ? undefined : refuse(400)),
    }),
  )
  expect(found['select']!.outcome).toBe('inconclusive')
})

test('a target that refuses the first statement without LIMIT only is compared', async () => {
  let times = 0
  const answer = ({ sql }: { sql: string }) => (/ LIMIT /.test(sql) || times++ > 0 ? undefined : refuse(400))
  const found = await search(handmade({ rows: { ...manyRows, v_formulas: formulas }, answer }))
  expect(found['select']!.outcome).toBe('pass')
})

test('a run with --max-rows leaves out statements with a larger LIMIT, and searches with the others', async () => {
  const { client, options } = handmade({ rows: { ...manyRows, v_formulas: formulas } })
  const found = await search(new Target(client, { ...options, maxRows: 10 }))
  expect(found['select']).toMatchObject({ outcome: 'pass' })
  expect(found['limit']!.outcome).toBe('pass')
  const limits = client.answers.flatMap(({ request }) => / LIMIT (\d+)/.exec(request.body)?.[1] ?? [])
  expect(Math.max(...limits.map(Number))).toBe(10)
})

test('a delta without its filter fails with the smallest statement', async () => {
  const found = await search(handmade({ rows: { ...manyRows, v_formulas: formulas } }))
  expect(found['select']).toMatchObject({ outcome: 'pass' })
  expect(found['delta-by-date']).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(
      /smallest: `SELECT \w+ FROM v_formulas WHERE last_updated_at > '[\d-]+'` \(8 rows instead of \d\)$/,
    ),
  })
})
