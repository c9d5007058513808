import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirementSet, validators, type ConformanceClaim } from '../../../schemas/index.ts'
import { finished, spawnCli } from '../support/cli.ts'
import { startHttpTarget } from '../support/hostile-target.ts'
import { scratch } from '../support/vendor.ts'

const none = '{"data":[],"status":{"state":"success","message":"no results"}}'

test('a run writes a claim, and matrix makes a table and a badge of it', async () => {
  const folder = scratch()
  const target = await startHttpTarget((response) => response.writeHead(200).end(none))
  const cli = (...args: string[]) => finished(spawnCli(args, folder.dir))
  const options = ['--base-url', target.baseUrl, '--no-auth', '--only', 'http.state', '--time-limit', '1s']
  const run = await cli('conformance', ...options, '--claim', 'claim.json', '--target-name', 'Acme historian')
  await target.close()
  const text = readFileSync(join(folder.dir, 'claim.json'), 'utf8')
  const matrix = await cli('matrix', '.', '--badges', 'badges')
  const empty = await cli('matrix', 'badges/none')
  const badges = readdirSync(join(folder.dir, 'badges'))
  folder.remove()
  const claim = JSON.parse(text) as ConformanceClaim
  expect([run.exitCode, validators.claim(claim), claim.verdict]).toEqual([3, true, 'incomplete'])
  expect(claim.requirementSet).toEqual({ version: 'v2', hash: requirementSet.hash })
  expect(text).not.toContain('127.0.0.1')
  expect(matrix.stdout).toMatch(/^\| Acme historian \| incomplete \| set v2 \| \d{4}-\d\d-\d\d \|/m)
  expect(badges).toEqual(['acme-historian.json'])
  expect([empty.exitCode, empty.stderr]).toEqual([2, expect.stringContaining('badges/none holds no claim.')])
})
