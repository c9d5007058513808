import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandLine, endProcesses, exitCodeOf, startCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a program of Windows that does what a shell script says. */
function program(name: string, script: string): string {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return join(folder, name)
}

const { platform } = process
const asOn = (name: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value: name })

describe('a line of cmd.exe', () => {
  test.each([
    ['leaves plain words as they are', ['npm', 'run', 'test:unit', '--a=b'], 'npm run test:unit --a=b'],
    ['quotes the path of a program', ['C:/Program Files/a.exe'], String.raw`"C:\Program Files\a.exe"`],
    [
      'has no slash in the name of the command',
      ['./node_modules/.bin/vitest'],
      String.raw`node_modules\.bin\vitest`,
    ],
    ['quotes what cmd.exe would read', ['npm', 'a&b', 'c|d', ''], 'npm "a&b" "c|d" ""'],
    ['escapes quotes and the backslashes before them', ['npm', String.raw`a\"b`], String.raw`npm "a\\\"b"`],
    ['doubles backslashes at the end of quotes', ['npm', 'a b\\'], String.raw`npm "a b\\"`],
  ])('%s', (_, [command, ...args], line) => {
    expect(commandLine(command!, args)).toBe(line)
  })
})

describe.skipIf(platform === 'win32')('on Windows', () => {
  beforeEach(() => {
    asOn('win32')
    vi.stubEnv('comspec', '')
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  })
  afterEach(() => {
    asOn(platform)
    vi.unstubAllEnvs()
  })

  test('cmd.exe starts the command, in no group of its own', async () => {
    program('cmd.exe', `printf '%s\\n' "$@"`)
    const child = startCommand('npm', ['test', 'a b'], { detached: true })
    expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH')
    let output = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(child, 'close')
    expect(output).toBe('/d\n/s\n/c\n"npm test "a b""\n')
  })

  test('taskkill ends a command with all that it started, and nothing once it has ended', async () => {
    const called = join(folder, 'called')
    program('taskkill', `echo "$@" >> '${called}'; kill -9 "$2"`)
    const child = spawn('sleep', ['60'])
    const ended = once(child, 'exit')
    endProcesses(child, 'SIGTERM')
    await ended
    expect(readFileSync(called, 'utf8')).toBe(`/pid ${child.pid} /t /f\n`)

    rmSync(called)
    const done = spawn('true')
    await once(done, 'exit')
    endProcesses(done, 'SIGKILL')
    expect(existsSync(called)).toBe(false)
  })
})

test('a command that does not start is an error with the given exit code', async () => {
  const command = join(folder, 'nothing')
  await expect(exitCodeOf(startCommand(command, [], {}), command, () => 2)).rejects.toMatchObject({
    message: expect.stringContaining(`Cannot start the command "${command}" (ENOENT).`),
    exitCode: 2,
  })
})
