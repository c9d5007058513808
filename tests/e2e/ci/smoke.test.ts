import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from '../../../mock/index.ts'
import { contract, statements } from '../../../schemas/index.ts'
import { startHttpTarget } from '../support/hostile-target.ts'
import { parseHurl, runHurl, type HurlEntry } from '../support/hurl.ts'
import { parseCli } from '../support/parse-cli.ts'

let entries: HurlEntry[]
let server: Server
beforeAll(async () => {
  entries = parseHurl((await parseCli(['contract', 'smoke'])).stdout)
  // choices that the contract permits and a collection must not depend on
  const variants = { 'rows.shape': 'array', 'rows.case': 'upper', 'http.success': '201' } as const
  server = await startServer({ scale: 0.01, token: 'smoke-token', variants })
})
afterAll(() => server.close())

/** The asserts that do not hold at the server. */
const run = (token: string) => runHurl(entries, { base_url: server.baseUrl, token })

test('the smoke collection reads every view and sends every documented statement', () => {
  const sent = entries.map(({ body }) => (JSON.parse(body) as { statement: string }).statement)
  for (const view of contract.views) expect(sent).toContain(`SELECT * FROM ${view} LIMIT 1`)
  for (const { statement } of statements) expect(sent).toContain(statement)
  expect(new Set(sent).size).toBe(sent.length)
})

test('the smoke collection passes a server that uses its freedom, and fails with a wrong token', async () => {
  expect(await run('smoke-token')).toEqual([])
  expect(await run('wrong')).toContain('v_bioprocesses can be read: jsonpath "$.status.state" == "success"')
})

test('the smoke collection finds rows beyond the LIMIT and after 2999, and a view that cannot exist', async () => {
  const rows = JSON.stringify({
    data: Array.from({ length: 11 }, () => ({ id: 'a' })),
    status: { state: 'success', message: '' },
  })
  const target = await startHttpTarget((response) => response.writeHead(200).end(rows))
  const broken = await runHurl(entries, { base_url: target.baseUrl, token: 't' })
  await target.close()
  expect(broken).toEqual(
    expect.arrayContaining([
      'v_bioprocesses can be read: jsonpath "$.data" count <= 1',
      expect.stringMatching(/^Select from one view with a limit .*: jsonpath "\$\.data" count <= 10$/),
      'Nothing in v_timeseries changes after 2999: jsonpath "$.data" count == 0',
      'A view that does not exist is an error: jsonpath "$.status.state" == "error"',
    ]),
  )
  expect(broken).toHaveLength(contract.views.length + contract.delta.views.length + 2)
})
