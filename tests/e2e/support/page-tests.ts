import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { endGroup, printed, type Finished } from './cli.ts'
import { inherited, runBash } from './pipeline.ts'

/** How a command of a page runs in a test. Without a rule it runs as it is, and has to end with exit code 0. */
export interface Rule {
  /** Where the command runs instead, or what it needs that no test has. */
  readonly elsewhere?: string | undefined
  /** A program that this machine lacks: the test of the command is skipped. */
  readonly lacks?: string | undefined
  /** The command with the folders and options of the test. */
  as?(command: string): string
  /** The command starts a server that prints its address, the first group. It runs until the page starts another without `&`. */
  readonly serves?: RegExp
  readonly env?: NodeJS.ProcessEnv
  readonly exitCode?: number
  /** Fails if the command did not do what the page says. */
  proof?(ran: Finished & { readonly origin: string }): unknown
}

/** Rules by what a command contains; the first that matches counts. */
export type Rules = readonly (readonly [part: RegExp, rule: Rule])[]

interface Place {
  readonly folder: () => string
  readonly env: () => NodeJS.ProcessEnv
  /** Starts the server that a page expects to run already. */
  readonly server?: string
}

/** An address in a page of a server that it starts. */
const address = /(http:\/\/)?(localhost|127\.0\.0\.1):40[1-3]\d\b/g

/** A test for each command of a page, in their order. */
export function describePage(page: string, commands: readonly string[], rules: Rules, place: Place): void {
  const ruleOf = (command: string): Rule => rules.find(([part]) => part.test(command))?.[1] ?? {}
  const here = commands.filter((one) => ruleOf(one).elsewhere === undefined)
  if (here.length === 0) return
  describe(`a command of ${page}`, () => {
    const servers: { readonly child: ChildProcess; readonly origin: string }[] = []
    async function stop(): Promise<void> {
      for (const { child } of servers.splice(0).toReversed()) await endGroup(child)
    }
    afterAll(stop)

    async function start(script: string, env: NodeJS.ProcessEnv, prints: RegExp): Promise<void> {
      const child = spawn('bash', ['-c', `exec 2>&1; ${script}`], {
        cwd: place.folder(),
        env: { ...inherited(), ...env },
        detached: true,
      })
      // one that prints no address serves another server
      const [, origin = ''] = await printed(child, prints)
      servers.push({ child, origin })
    }

    for (const command of here) {
      const rule = ruleOf(command)
      if (rule.lacks) console.warn(`Skipping \`${command}\` of ${page}: install ${rule.lacks} to run it.`)
      test.skipIf(rule.lacks)(
        command,
        async () => {
          const env = { ...place.env(), ...rule.env }
          // a server with `&` runs beside those before it
          if (rule.serves && !command.endsWith('&')) await stop()
          else if (place.server && command.search(address) >= 0 && servers.length === 0)
            await start(place.server, env, /(http:\S+?)\/?\s/)
          const origin = servers.at(-1)?.origin || '127.0.0.1:0'
          const alone = command.replace(/ &$/, '')
          const script = (rule.as?.(alone) ?? alone).replaceAll(address, origin)
          let ran: Finished = { exitCode: 0, stdout: '', stderr: '' }
          if (rule.serves) await start(script, env, rule.serves)
          else ran = await runBash(script, place.folder(), env)
          expect(ran.exitCode, ran.stdout + ran.stderr).toBe(rule.exitCode ?? 0)
          await rule.proof?.({ ...ran, origin: servers.at(-1)?.origin ?? '' })
        },
        300_000,
      )
    }
  })
}

/** Fails if a rule is for no command. */
export function expectRulesUsed(rules: Rules, commands: readonly string[]): void {
  for (const [part] of rules) expect(commands.some((command) => part.test(command)) || part).toBe(true)
}
