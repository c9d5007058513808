import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { installFlags } from './install-flags.ts'

/** A new project in a folder outside the repository, as `npm init` makes it. */
export class Newcomer {
  readonly folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-newcomer-'))

  constructor() {
    this.npm('init', '-y')
    this.npm('pkg', 'set', 'type=module')
  }

  /** Runs npm in the project. @returns its output */
  npm(...args: string[]): string {
    return this.#run('npm', args, { shell: true })
  }

  /** Installs packages without running their scripts. */
  install(...packages: string[]): void {
    this.npm('install', '--save-dev', ...installFlags, ...packages)
  }

  /** Runs vitest with the given node executable. @returns its output */
  vitest(node?: string, ...args: string[]): string {
    return this.#runModule(node, 'vitest/vitest.mjs', 'run', ...args)
  }

  /** Runs Jest with the given node executable. @returns its output */
  jest(node?: string, ...args: string[]): string {
    return this.#runModule(node, 'jest/bin/jest.js', ...args)
  }

  #runModule(node = process.execPath, module: string, ...args: string[]): string {
    const PATH = `${join(node, '..')}${delimiter}${process.env['PATH']}`
    return this.#run(node, [join('node_modules', module), ...args], { env: { PATH } })
  }

  /** @throws Error with the output of a command that fails */
  #run(command: string, args: string[], { env = {}, shell = false }): string {
    // variables that this run of vitest, or npm around it, has set
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|VITEST|npm_\w+)$/.test(name)),
    )
    try {
      return execFileSync(command, args, {
        cwd: this.folder,
        encoding: 'utf8',
        stdio: 'pipe',
        shell,
        env: { ...inherited, NO_COLOR: '1', ...env },
      })
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    writeFileSync(join(this.folder, name), text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
