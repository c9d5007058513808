import { expect, test } from 'vitest'
import { runConformance } from '../../run/conformance.ts'
import { rowsReply } from '../handmade.test-helper.ts'

/** The headers of every request of a short run, and its report. */
async function run(options: { anonymous?: boolean; headers?: Record<string, string> }) {
  const sent: { sql: string; headers: Headers }[] = []
  const report = await runConformance({
    baseUrl: 'http://vendor.example',
    token: null,
    version: '1.2.3',
    only: ['errors.failing-statement', 'sql.limit-kept'],
    fetch: async (_, init) => {
      sent.push({ sql: String(init?.body), headers: new Headers(init?.headers) })
      return rowsReply([{ id: 'a' }])
    },
    ...options,
  })
  return { sent, report }
}
const values = (sent: { headers: Headers }[], name: string) =>
  new Set(sent.map(({ headers }) => headers.get(name)))

test('every request names the suite and the check it belongs to', async () => {
  const { sent } = await run({})
  expect(values(sent, 'user-agent')).toEqual(new Set(['bioprocess-sql-contract/1.2.3 (+conformance)']))
  expect(values(sent, 'x-conformance-check')).toEqual(
    new Set(['suite', 'errors.failing-statement', 'sql.limit-kept']),
  )
})

test('the curl command of a failure lacks the headers that name the suite and the check', async () => {
  const { report } = await run({})
  const { outcome, curl } = report.checks.find(({ id }) => id === 'errors.failing-statement')!
  expect(outcome).toBe('fail')
  expect(curl).toContain('Content-Type')
  expect(curl).not.toMatch(/user-agent|x-conformance-check/i)
})

test('an anonymous run sends neither the User-Agent nor the id of a check', async () => {
  const { sent } = await run({ anonymous: true })
  expect(values(sent, 'user-agent')).toEqual(new Set([null]))
  expect(values(sent, 'x-conformance-check')).toEqual(new Set([null]))
})

test('a User-Agent of --header replaces that of the suite, in any letter case', async () => {
  const { sent, report } = await run({ headers: { 'user-AGENT': 'gateway-test' } })
  expect(values(sent, 'user-agent')).toEqual(new Set(['gateway-test']))
  expect(report.checks.find(({ id }) => id === 'errors.failing-statement')!.curl).toContain('gateway-test')
})
