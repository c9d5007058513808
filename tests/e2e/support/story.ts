import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { endGroup, root } from './cli.ts'
import { missingLines } from './page-output.ts'
import { inherited, runBash } from './pipeline.ts'

/** Where and how a story is followed. */
export interface Place {
  readonly folder: string
  /** Commands that this machine does not run. */
  readonly leftOut?: RegExp
  /** Commands and outputs of the page with the ports of the test. */
  readonly as?: (text: string) => string
  /** Variables of a command that shorten it. @param isFirst whether the page has not run it before */
  readonly env?: (command: string, isFirst: boolean) => NodeJS.ProcessEnv
}

/**
 * Does what a page tells its reader: runs its commands, makes its changes and compares its outputs with those of the commands before. A
 * command has the exit code that its comment names, or 0. One for another terminal runs on until the page starts it again.
 */
export async function follow(
  page: string,
  { folder, leftOut, as = (text) => text, env }: Place,
): Promise<void> {
  const terminals = new Map<string, ChildProcess>()
  const past = new Set<string>()
  let output = ''
  try {
    for (const [, kind, text] of blocksOf(page)) {
      if (kind === 'diff') change(folder, text!)
      if (kind === '')
        expect(missingLines(as(text!), output), `${page} shows other lines\n${output}`).toEqual([])
      if (kind !== 'sh') continue
      output = ''
      for (const [, command, comment = ''] of text!.matchAll(/^(.+?)(?:\s+# (.*))?$/gm)) {
        if (leftOut?.test(command!)) continue
        if (comment.includes('terminal')) {
          const before = terminals.get(command!)
          if (before) await endGroup(before)
          terminals.set(command!, startIn(folder, as(command!)))
          continue
        }
        const ran = await runBash(as(command!), folder, env?.(command!, !past.has(command!)) ?? {})
        past.add(command!)
        output += ran.stdout + ran.stderr
        const [, exitCode = '0'] = /exit code (\d)/.exec(comment) ?? []
        expect(ran.exitCode, `${page}: ${command}\n${ran.stdout}${ran.stderr}`).toBe(Number(exitCode))
      }
    }
  } finally {
    await Promise.all([...terminals.values()].map(endGroup))
  }
}

/** Makes the changes of a page, without running its commands. */
export function mend(page: string, folder: string): void {
  for (const [, kind, text] of blocksOf(page)) if (kind === 'diff') change(folder, text!)
}

const blocksOf = (page: string) =>
  readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n([^]*?)\n```$/gm)

const startIn = (folder: string, command: string): ChildProcess =>
  spawn('bash', ['-c', command], {
    cwd: folder,
    env: inherited(),
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** Changes a file as a diff says, whose first line names the file. @throws Error if the lines are not in it once */
function change(folder: string, diff: string): void {
  const [header, ...lines] = diff.split('\n')
  const name = header!.replace('--- ', '')
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const file = join(folder, name)
  const parts = readFileSync(file, 'utf8').split(without('+'))
  if (parts.length !== 2)
    throw new Error(`${name} has the lines of this change ${parts.length - 1} times:\n${diff}`)
  writeFileSync(file, parts.join(without('-')))
}
