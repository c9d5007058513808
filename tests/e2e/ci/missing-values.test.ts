import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Finished, root } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'
import { linkPackage } from '../support/linked-package.ts'
import { pageCommands } from '../support/page-commands.ts'
import { parseCli } from '../support/parse-cli.ts'
import { action, runBash } from '../support/pipeline.ts'
import { scratch } from '../support/vendor.ts'

/** A pipeline in which the package is installed where each of the commands expects it. */
const project = scratch()
const at = (...path: string[]) => join(project.dir, ...path)
beforeAll(() => {
  for (const folder of ['.', '.gate', 'builds/bioprocess-sql']) linkPackage(at(folder))
  writeFileSync(at('token.txt'), 'page-token')
  writeFileSync(
    at('package.json'),
    JSON.stringify({ private: true, scripts: { conformance: 'bioprocess-sql conformance --self' } }),
  )
})
afterAll(() => project.remove())

const withoutInstall = (script: string) => script.replaceAll(/^npm install .*$/gm, '')

/** The commands of the pages that judge a service, each once, with a variable in place of a written address. */
const ofPages = [
  ...new Map(
    pageCommands()
      .filter(({ command }) => /conformance\b.*--base-url/.test(command) && !command.startsWith('docker'))
      .map(({ page, command }) => {
        const script = command.replace(/^npx /, '').replace(/https?:\/\/\S+/, '$URL')
        return [script, { name: `\`${command}\` of ${page}`, script }]
      }),
  ).values(),
]

const { script, variables } = parse(readFileSync(join(root, 'examples/ci/gitlab.yml'), 'utf8')).conformance

/** The step that judges, with the inputs of a workflow whose variables and secrets are missing. */
const step = action.runs.steps.find(({ id }) => id === 'judge')!
const inputs = Object.fromEntries(
  Object.entries(step.env!).map(([name, text]) => [
    name,
    action.inputs[/inputs\.([\w-]+)/.exec(text)![1]!]!.default,
  ]),
)

const [docs, job, judgeStep] = [
  { name: 'the commands of docs/ci.md', script: withoutInstall(shellSnippets('ci.md')[0]!), env: {} },
  {
    name: 'the job of examples/ci/gitlab.yml',
    script: withoutInstall((script as string[]).join('\n')),
    env: { ...variables, CI_BUILDS_DIR: at('builds'), CI_PROJECT_NAME: 'historian' },
  },
  {
    name: 'the step of action.yml',
    // the step of a composite action ends with 0, so that the reports are kept; the last step fails
    script: `${step.run}\nexit "$(sed -n 's/^code=//p' "$GITHUB_OUTPUT")"`,
    env: {
      ...inputs,
      RUNNER_TEMP: project.dir,
      GITHUB_OUTPUT: at('output'),
      GITHUB_STEP_SUMMARY: at('summary'),
      // npx takes a second each time to find the command
      PATH: `${at('node_modules/.bin')}:${process.env['PATH']}`,
    },
  },
] as const
const pipelines = [docs, job, judgeStep]

/** With the name as the first parameter of a test, which its title shows whole. */
const named = <Case extends { name: string }>(cases: readonly Case[]) =>
  cases.map((one) => [one.name, one] as const)

const run = (script: string, env: NodeJS.ProcessEnv) => {
  for (const file of ['output', 'summary']) writeFileSync(at(file), '')
  return runBash(script, project.dir, env)
}

/** The words that bash makes of a command, and the output of the command line for them. */
async function parseCommand(script: string) {
  const print = `bioprocess-sql() { printf '%s\\0' "$@"; }`
  const { stdout } = await run(`${print}\n${script}`, {})
  return parseCli(stdout.split('\0').slice(0, -1))
}

function expectNoAddress({ exitCode, stdout, stderr }: Finished) {
  expect([exitCode, stdout + stderr]).toEqual([
    2,
    expect.stringMatching(/address|base URL|--base-url (is empty|has no value)/),
  ])
  expect(stdout).not.toContain('conformant')
}

describe('without an address, a command that judges ends with exit code 2', () => {
  test.each(named(ofPages))('%s', async (_, { script }) => expectNoAddress(await parseCommand(script)))

  test.each(named([docs, job]))('%s', async (_, { script, env }) =>
    expectNoAddress(await run(script, { BIOPROCESS_SQL_TOKEN: 'gate-token', ...env })),
  )
})

test.each(named(pipelines))(
  'without a token, the run of %s ends with exit code 2',
  async (_, { script, env }) => {
    const address = { BIOPROCESS_SQL_BASE_URL: 'http://127.0.0.1:4' }
    const { exitCode, stdout, stderr } = await run(script, { ...address, ...env })
    expect([exitCode, stdout + stderr]).toEqual([2, expect.stringContaining('needs a token')])
  },
)

test('the pages have commands that judge a service', () => {
  expect(ofPages.length).toBeGreaterThan(5)
})

describe('the step of action.yml', () => {
  const { script, env } = judgeStep

  test('says in the summary and in an annotation why nothing was judged without an address', async () => {
    const judged = await run(script, { ...env, TOKEN: 'gate-token' })
    expectNoAddress(judged)
    expect(judged.stdout).toMatch(/^::error title=Not judged \(exit code 2\)::.*Give --base-url/m)
    expect(readFileSync(at('summary'), 'utf8')).toMatch(/^# Not judged\n[^]*Give --base-url/)
  })

  test('refuses an empty folder, and leaves the files of another one as they are', async () => {
    expect(await run(script, { ...env, FOLDER: '' })).toMatchObject({
      exitCode: 2,
      stdout: expect.stringMatching(/^::error::The input folder is empty\./),
    })
    mkdirSync(at('claims'))
    writeFileSync(at('claims/acme.json'), 'own')
    await run(script, { ...env, FOLDER: '.' })
    expect(existsSync(at('claims/acme.json'))).toBe(true)
    for (const { run: text = '' } of action.runs.steps) expect(text).not.toMatch(/\brm\b/)
  })

  test('refuses an empty name of the service', async () => {
    const { exitCode, stderr } = await run(script, {
      ...env,
      BASE_URL: 'http://127.0.0.1:4',
      TOKEN: 'gate-token',
      TARGET_NAME: '',
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--target-name is empty')])
  })
})
