import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { HabitReport } from '../../../client/conformance/index.ts'
import { runCli } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'exec-habits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that sends one statement and then runs `more`; `answer` and `data` are in scope. */
function program(name: string, more = '', statement = 'SELECT id, name FROM v_formulas LIMIT 3'): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `const { BIOPROCESS_SQL_BASE_URL: base, BIOPROCESS_SQL_TOKEN: token, BIOPROCESS_SQL_HABIT: habit } = process.env
const answer = await fetch(base + '/external/v1/statements/', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: ${JSON.stringify(JSON.stringify({ statement }))},
})
const { data } = await answer.json()
${more}
`,
  )
  return file
}

const readsNames = program(
  'names',
  "if (!data.every(({ name }) => name)) throw new Error('a row has no name')",
)

const habits = (flags: string[], ...command: string[]) =>
  runCli(['exec', '--habits', '--scale', '0.01', '--concurrency', '1', ...flags, '--', ...command])
const only = (...ids: string[]) => ids.flatMap((id) => ['--only', id])

test('exec --habits lists the habits', async () => {
  const { stdout, exitCode } = await parseCli(['exec', '--habits', '--list'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^rows\.shape=array +neutral +Which shape .* An array/m)
  expect(stdout).toMatch(/^fault\.504 +fault +A statement exceeds the time limit\.$/m)
})

test.each([
  [['--habits', '--only', 'rows.shap', '--', 'true'], /No habit matches "rows.shap"/],
  [['--habits', '--port', '4010', '--', 'true'], /--port is for one server/],
  [['--habits', '--database-clock', 'real', '--', 'true'], /--database-clock is for one server/],
  [['--habits', '--'], /Give the command after --/],
  [['--only', 'rows.shape', '--', 'true'], /--only needs --habits/],
])('exec with wrong options exits with 2: %j', async (args, message) => {
  const { exitCode, stderr } = await parseCli(['exec', ...args])
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
})

describe('exec --habits', () => {
  test('exits with 1, names the habits that stop the command, and writes every report', async () => {
    const files = ['json', 'junit', 'markdown', 'html'].map((format) => join(folder, `report.${format}`))
    const flags = files.flatMap((file) => ['--report', `${file.split('.').at(-1)}=${file}`])
    const found = await habits(
      [...only('rows.shape', 'http.success=201', 'auth.missing=403'), '--concurrency', '2', ...flags],
      process.execPath,
      readsNames,
    )
    expect(found.exitCode).toBe(1)
    expect(found.stdout).toMatch(/✗ stopped {2}rows\.shape=array\n/)
    expect(found.stdout).toMatch(/during +SELECT id, name FROM v_formulas LIMIT 3 → HTTP 200/)
    expect(found.stdout).toMatch(/Error: a row has no name/)
    expect(found.stdout).toMatch(
      /worth knowing\n {2}rows\.shape=prefixed \(warns\): The command ended with 1\./,
    )
    expect(found.stderr).toMatch(/\d of 6 habits, about \d+ s left: stopped by rows\.shape=/)
    const report = JSON.parse(readFileSync(files[0]!, 'utf8')) as HabitReport
    expect(report.results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'rows.shape=array-with-columns stopped',
      'rows.shape=array stopped',
      'rows.shape=wrapped stopped',
      'rows.shape=prefixed stopped',
      'http.success=201 survived',
      'auth.missing=403 not met',
    ])
    for (const file of files) expect(readFileSync(file, 'utf8')).toContain('stopped')
  })

  test('exits with 0 if every neutral habit is survived, not met or in the baseline, and tells the command the habit and a profile', async () => {
    const told = program(
      'told',
      `import { readFileSync } from 'node:fs'
const profile = JSON.parse(readFileSync(process.env.BIOPROCESS_SQL_SERVICE_PROFILE, 'utf8'))
const variants = habit === '' ? {} : Object.fromEntries([habit.split('=')])
if (JSON.stringify(profile.variants) !== JSON.stringify(variants)) throw new Error('another profile')
if (answer.status !== (habit === 'http.success=201' ? 201 : 200)) throw new Error('another status')
if (!data.every(({ name }) => name)) throw new Error('a row has no name')`,
    )
    const baseline = join(folder, 'baseline.json')
    const waivers = { 'rows.shape=array': { reason: 'ours are objects' } }
    writeFileSync(baseline, JSON.stringify({ contract: 'v1', waivers }))
    const flags = [...only('rows.shape=array', 'rows.case=upper', 'http.success=201'), '--baseline', baseline]
    const found = await habits(flags, process.execPath, told)
    expect(found.stdout).toMatch(/waived\n {2}rows\.shape=array: ours are objects/)
    expect(found.stdout).not.toMatch(/another (profile|status)/)
    expect(found.exitCode).toBe(0)
  })
})

describe.concurrent('exec --habits exits with 2', () => {
  test.each([
    [
      'a command that fails without any habit',
      [process.execPath, '-e', 'console.log("7 tests failed"); process.exit(3)'],
      /fail without any habit.*ended with 3\.\n7 tests failed/s,
    ],
    [
      'a command that does not exist',
      ['no-such-command'],
      /Cannot start the command "no-such-command" \(ENOENT\)/,
    ],
  ])('for %s', async (_, command, message) => {
    const { exitCode, stderr } = await habits(only('http.success=201'), ...command)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

test.concurrent('exec --habits ends a command that hangs, with all processes that it started', async () => {
  const pidFile = join(folder, 'pid')
  const hangs = program(
    'hangs',
    `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
if (habit) {
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' })
  writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
  setInterval(() => {}, 1000)
}`,
  )
  const found = await habits([...only('http.success=201'), '--timeout', '10s'], process.execPath, hangs)
  expect(found.exitCode).toBe(1)
  expect(found.stdout).toMatch(/stopped by +time limit\n {2}message +The tests did not end within 10 s\./)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 30_000 })
})

test.concurrent('exec --habits ends while a process that left the group of the command holds its output open', async () => {
  const pids = join(folder, 'left')
  const leaves = program(
    'leaves',
    `import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const child = spawn('sleep', ['100'], { stdio: 'inherit', detached: true })
appendFileSync(${JSON.stringify(pids)}, child.pid + '\\n')
child.unref()`,
  )
  const found = await habits(only('http.success=201'), process.execPath, leaves)
  const left = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  const last = left.at(-1)!
  const isLeft = isRunning(last)
  for (const pid of left.filter(isRunning)) process.kill(pid)
  expect(found.exitCode).toBe(0)
  expect(isLeft).toBe(true)
})

/** Whether a process runs. One that ended but was not collected yet is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
