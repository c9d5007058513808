import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { finished, runCli, spawnCli } from '../support/cli.ts'
import { closeTargets, startHttpTarget } from '../support/hostile-target.ts'
import { parseCli } from '../support/parse-cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
const file = (name: string) => join(folder.dir, name)
afterEach(closeTargets)
afterAll(() => folder.remove())

/** Outputs that exist and outputs that do not; `OLD` is in those that exist. */
const old = ['old.json', 'old.ndjson', 'claim.json'].map(file)
const fresh = ['new.xml', 'profile.json'].map(file)
const outputs = [
  '--report',
  `json=${old[0]}`,
  '--report',
  `ndjson=${old[1]}`,
  '--claim',
  old[2]!,
  '--report',
  `junit=${fresh[0]}`,
  '--profile-out',
  fresh[1]!,
]
const command = ['conformance', '--base-url', 'http://127.0.0.1:9', ...outputs]
beforeEach(() => old.forEach((path) => writeFileSync(path, 'OLD')))

function expectUntouched() {
  expect(old.map((path) => readFileSync(path, 'utf8'))).toEqual(['OLD', 'OLD', 'OLD'])
  expect(fresh.filter((path) => existsSync(path))).toEqual([])
}

test.each([
  ['there is no token', [], 'needs a token'],
  ['a profile needs the whole suite', ['--no-auth', '--only', 'delta.*'], 'Leave out --only'],
  ['an output is also an input', ['--token', `@${old[0]}`], 'would overwrite'],
])('a run that cannot start leaves every output as it is: %s', async (_, options, sentence) => {
  const { exitCode, stderr } = await parseCli([...command, ...options])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)])
  expectUntouched()
})

test.each([
  ['an option is wrong', ['--no-auth', '--skip', 'nonsense']],
  ['one cannot be written', ['--no-auth', '--report', 'html=/no/such/folder/x']],
])('the end of a process removes the outputs that it has made for nothing: %s', async (_, options) => {
  expect(await runCli([...command, ...options])).toMatchObject({ exitCode: 2 })
  expectUntouched()
})

test('a run that a signal ends writes its outputs', async () => {
  const known = file('known.json')
  const reasons = '{"contract":"v1","waivers":{"sql.limit":{"reason":"ticket 4711"}}}'
  writeFileSync(known, reasons)
  const arrivals = new EventEmitter()
  const reached = once(arrivals, 'request')
  const target = await startHttpTarget(() => void arrivals.emit('request'))
  const args = ['--base-url', target.baseUrl, '--no-auth', ...outputs, '--write-baseline', known]
  const child = spawnCli(['conformance', ...args])
  const end = finished(child)
  await reached
  child.kill('SIGTERM')
  expect(await end).toMatchObject({ exitCode: 130 })
  const written = [...old, ...fresh].map((path) => readFileSync(path, 'utf8'))
  expect(written[0]).toContain('"verdict": "incomplete"')
  expect(written[1]).toContain('{"type":"header"')
  expect(written[2]).toContain('"verdict"')
  expect(written[3]).toContain('<testsuites')
  expect(written[4]).toContain('"variants"')
  expect(readFileSync(known, 'utf8'), 'a run that was interrupted knows no failures').toBe(reasons)
})

test('an older Node ends every command with the version that is needed', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(older)}`]
  expect(await finished(spawnCli(['--help'], folder.dir, flags))).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'bioprocess-sql: This is Node 18.20.8, but Node 20.19 or later is needed. Install it and run the command again.\n',
  })
})
