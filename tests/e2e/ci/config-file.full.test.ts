import { createServer } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { finished, spawnCli } from '../support/cli.ts'
import { startHttpTarget } from '../support/hostile-target.ts'
import { scratch } from '../support/vendor.ts'

const none = '{"data":[],"status":{"state":"success","message":"no results"}}'

test('a config file with a variable, --wait and a log of the target work together', async () => {
  const folder = scratch()
  // a port that is free, on which the target listens only later
  const early = await startHttpTarget(() => {})
  const { port } = new URL(early.baseUrl)
  await early.close()
  const report = join(folder.dir, 'report.json')
  const config = join(folder.dir, 'gate.json')
  writeFileSync(
    config,
    JSON.stringify({
      baseUrl: early.baseUrl,
      header: { 'X-Api-Key': '${E2E_KEY}' },
      auth: false,
      wait: '20s',
      only: ['http.state', 'http.empty-data'],
      timeLimit: '1s',
      report: { json: report },
      allowIncomplete: true,
    }),
  )
  process.env['E2E_KEY'] = 'k-123456'
  const child = spawnCli(['conformance', '--config', config])
  delete process.env['E2E_KEY']
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const log: string[] = []
  const late = createServer(({ method, headers }, response) => {
    log.push([method, headers['x-conformance-check'], headers['user-agent'], headers['x-api-key']].join(' '))
    response.writeHead(200).end(none)
  })
  await new Promise<void>((resolve) => late.listen(Number(port), '127.0.0.1', resolve))
  const { exitCode, stderr } = await finished(child)
  late.close()
  const { checks } = JSON.parse(readFileSync(report, 'utf8')) as ConformanceReport
  folder.remove()
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('Waited')])
  expect(checks.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    'http.state pass',
    'http.empty-data pass',
  ])
  expect(log[0]).toMatch(/^GET suite bioprocess-sql-contract\/\d+\.\d+\.\d+ \(\+conformance\) k-123456$/)
  expect(log.slice(1).join('\n')).toMatch(/^POST http\.state bioprocess-sql-contract/m)
})

test('a target that never answers is named, and the run ends as unreachable with its reports', async () => {
  const folder = scratch()
  const target = await startHttpTarget(() => {})
  await target.close()
  const xml = join(folder.dir, 'report.xml')
  const { exitCode, stderr } = await finished(
    spawnCli(
      ['conformance', '--base-url', target.baseUrl, '--no-auth', '--wait', '1s', '--report', `junit=${xml}`],
      folder.dir,
    ),
  )
  const written = readFileSync(xml, 'utf8')
  folder.remove()
  expect([exitCode, stderr]).toEqual([
    4,
    expect.stringContaining(
      `Waited 1 s for an answer of ${target.baseUrl}/external/v1/statements/ (ECONNREFUSED).`,
    ),
  ])
  expect(written).toContain('unreachable')
})
