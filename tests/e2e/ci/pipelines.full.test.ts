import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { root, startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'
import { startHttpTarget, type HostileTarget } from '../support/hostile-target.ts'
import { action, runAction, runBash } from '../support/pipeline.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
const at = (...path: string[]) => join(folder.dir, ...path)
const read = (...path: string[]) => readFileSync(at(...path), 'utf8')

/** A few checks without the time limit, so that the tests are short; the verdict is then incomplete. */
const fewChecks = {
  BIOPROCESS_SQL_ONLY: 'http.*,errors.failing-statement',
  BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true',
}
/** The package from the repository: what the action installs once it has built it. */
const source = { BIOPROCESS_SQL_PACKAGE: root }

let server: CliServer
let broken: HostileTarget
beforeAll(async () => {
  server = await startCliServer(['--token', 'gate-token', '--scale', '0.01'])
  // one row, whatever the statement asks
  const row = '{"data":[{"id":"a"}],"status":{"state":"success","message":"done"}}'
  broken = await startHttpTarget((response) => response.writeHead(200).end(row))
  mkdirSync(at('job'))
})
afterAll(async () => {
  await Promise.all([server?.stop(), broken?.close()])
  folder.remove()
})

/** Runs the action for the good service's token. */
const judge = (inputs: Record<string, string>, env = {}) =>
  runAction(
    at('job'),
    { package: root, token: 'gate-token', wait: '5s', ...inputs },
    { ...fewChecks, ...env },
  )

describe('action.yml', () => {
  test('passes a good service and writes summary, annotations, reports, claim and badge', async () => {
    const run = await judge({ 'base-url': server.baseUrl, 'target-name': 'Acme historian' })
    expect(run).toMatchObject({
      exitCode: 0,
      outputs: { verdict: 'incomplete', 'exit-code': '0', badge: 'conformance/badges/acme-historian.json' },
    })
    expect(run.steps).toEqual(action.runs.steps.map(({ name }) => name).filter((name) => name !== 'Comment'))
    expect(run.summary).toContain('incomplete')
    expect(run.log).toMatch(/^::warning title=incomplete/m)
    expect(JSON.parse(read('job', run.outputs['badge']!))).toMatchObject({ message: 'incomplete' })
    expect(read('job/conformance/claims.md')).toContain('| Acme historian | incomplete |')
    for (const name of ['conformance.json', 'conformance.xml', 'conformance.html'])
      expect(read('job/conformance', name).length).toBeGreaterThan(1000)
    expect(run.log).not.toContain('gate-token')
    copyFileSync(at('job/conformance/conformance.json'), at('good.json'))
  })

  test('fails a broken service in its last step, after it has kept the reports', async () => {
    const run = await judge({ 'base-url': broken.baseUrl, artifact: '' })
    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'non-conformant', 'exit-code': '1' } })
    expect(run.steps).toEqual(['Install', 'Judge', 'Compare', 'Badge', 'Gate'])
    expect(run.log).toMatch(/^::error title=fail/m)
    copyFileSync(at('job/conformance/conformance.json'), at('bad.json'))
  })

  test('compares with a previous report, and only a regression fails', async () => {
    const same = await judge({ 'base-url': broken.baseUrl, previous: at('bad.json') })
    expect(same).toMatchObject({ exitCode: 0, outputs: { verdict: 'non-conformant', 'exit-code': '0' } })
    const worse = await judge({ 'base-url': broken.baseUrl, previous: at('good.json') })
    expect([worse.exitCode, worse.log]).toEqual([1, expect.stringContaining('is worse than')])
  })

  test('accepts a baseline and a config file, and fails for a wrong one without a badge', async () => {
    const report = JSON.parse(readFileSync(at('bad.json'), 'utf8')) as ConformanceReport
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)
    const waivers = Object.fromEntries(failed.map((id) => [id, { reason: 'ticket 7' }]))
    writeFileSync(at('known.json'), JSON.stringify({ contract: 'v1', waivers }))
    writeFileSync(at('gate.json'), JSON.stringify({ baseUrl: '${STAGING}', concurrency: 2 }))
    const waived = await judge(
      { baseline: at('known.json'), config: at('gate.json') },
      { STAGING: broken.baseUrl },
    )
    expect(waived).toMatchObject({ exitCode: 0, outputs: { verdict: 'incomplete' } })
    const wrong = await judge({ config: at('none.json') })
    expect(wrong).toMatchObject({ exitCode: 2, outputs: { verdict: 'none' } })
    expect(wrong.steps).not.toContain('Badge')
  })

  describe('with comment', () => {
    /** Stands in for GitHub's command: writes down what it is asked, and answers with an id for a list that has one. */
    const gh = `#!/usr/bin/env bash
      printf '%s\\n' "$*" >> "$GH_CALLS"
      case "$*" in
        *--paginate*) cat "$GH_COMMENTS" ;;
        *body=@*) for word; do case "$word" in body=@*) cp "\${word#body=@}" "$GH_BODY" ;; esac; done ;;
      esac
      exit "\${GH_CODE:-0}"`
    const comment = async (comments: string, env = {}) => {
      mkdirSync(at('bin'), { recursive: true })
      writeFileSync(at('bin/gh'), gh, { mode: 0o755 })
      writeFileSync(at('comments'), comments)
      writeFileSync(at('calls'), '')
      const run = await judge(
        { 'base-url': server.baseUrl, 'target-name': 'Acme', comment: 'true' },
        {
          PATH: `${at('bin')}:${process.env['PATH']}`,
          GH_CALLS: at('calls'),
          GH_COMMENTS: at('comments'),
          GH_BODY: at('body'),
          GITHUB_REPOSITORY: 'acme/historian',
          ...env,
        },
      )
      return { ...run, calls: read('calls').trim().split('\n') }
    }

    test('writes the summary to the pull request, and replaces it later', async () => {
      const first = await comment('')
      expect(first.exitCode).toBe(0)
      expect(first.calls.at(-1)).toMatch(/^api --method POST repos\/acme\/historian\/issues\/7\/comments /)
      expect(read('body')).toMatch(/^<!-- bioprocess-sql [0-9a-f]{16} -->\n/)
      expect(read('body')).toContain('incomplete')
      expect((await comment('4711\n')).calls.at(-1)).toMatch(
        /^api --method PATCH repos\/acme\/historian\/issues\/comments\/4711 /,
      )
    })

    test('does not fail the gate where it may not', async () => {
      const run = await comment('', { GH_CODE: '1' })
      expect([run.exitCode, run.log]).toEqual([0, expect.stringContaining('permission pull-requests: write')])
    })
  })

  test('runs the package that npm has installed it with', async () => {
    const modules = at('installed/node_modules')
    mkdirSync(join(modules, '.bin'), { recursive: true })
    symlinkSync(root, join(modules, 'bioprocess-sql-contract'))
    writeFileSync(join(modules, '.bin/bioprocess-sql'), '#!/bin/sh\necho installed\n', { mode: 0o755 })
    const run = await runAction(
      at('job'),
      { token: 'gate-token', 'base-url': server.baseUrl },
      fewChecks,
      join(modules, 'bioprocess-sql-contract'),
    )
    expect(run.log).toContain('installed')
  })

  test('is a composite action whose steps name their shell, and pass inputs as variables only', () => {
    expect(action.runs.using).toBe('composite')
    for (const { name, run, shell, uses } of action.runs.steps) {
      expect(run === undefined ? uses : shell, name).toMatch(/^(bash|actions\/[\w-]+@v\d+)$/)
      // an input in a script could run as a command
      expect(run ?? '', name).not.toContain('${{')
    }
  })
})

test('the job of examples/ci/gitlab.yml judges a service and keeps the reports that it names', async () => {
  const template = parse(readFileSync(join(root, 'examples/ci/gitlab.yml'), 'utf8'))
  const { script, variables, artifacts } = template.conformance
  mkdirSync(at('gitlab'))
  const env = {
    CI_BUILDS_DIR: at('builds'),
    CI_PROJECT_NAME: 'historian',
    BIOPROCESS_SQL_TOKEN: 'gate-token',
  }
  const { exitCode, stderr } = await runBash(script.join('\n'), at('gitlab'), {
    ...variables,
    ...env,
    ...source,
    ...fewChecks,
    BIOPROCESS_SQL_BASE_URL: server.baseUrl,
  })
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  expect(read('gitlab', artifacts.reports.junit)).toContain('<testsuites')
  expect(JSON.parse(read('gitlab/conformance/claim.json'))).toMatchObject({ target: 'historian' })
})

test('the shell commands of docs/ci.md judge a service, compare reports and start a server', async () => {
  const [judge, compare, exec] = shellSnippets('ci.md') as [string, string, string]
  mkdirSync(at('shell'))
  const env = { ...source, ...fewChecks, BIOPROCESS_SQL_TOKEN: 'gate-token' }
  const judged = await runBash(judge, at('shell'), { ...env, BIOPROCESS_SQL_BASE_URL: server.baseUrl })
  expect([judged.exitCode, judged.stdout]).toEqual([0, expect.stringContaining('incomplete')])
  copyFileSync(at('shell/conformance.json'), at('shell/previous.json'))
  expect(await runBash(compare, at('shell'), env)).toMatchObject({
    exitCode: 0,
    stderr: 'conformance.json is not worse than previous.json.\n',
  })
  writeFileSync(
    at('shell/package.json'),
    JSON.stringify({ scripts: { test: 'node -e "console.log(process.env.BIOPROCESS_SQL_BASE_URL)"' } }),
  )
  // the project has the package among its dependencies
  symlinkSync(at('shell/.gate/node_modules'), at('shell/node_modules'))
  const executed = await runBash(exec, at('shell'), env)
  expect([executed.exitCode, executed.stdout]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/m),
  ])
})
