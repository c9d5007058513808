import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** An empty folder outside the repository, where somebody begins with `npm init`. */
export class Newcomer {
  readonly folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-newcomer-'))

  readonly #environment: Readonly<Record<string, string>>

  /** @param environment what its programs get besides that of this process */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = environment
    this.npm('init', '-y')
    this.npm('pkg', 'set', 'type=module')
  }

  /** Runs npm there. @returns what it printed */
  npm(...args: string[]): string {
    return this.#run('npm', args, { shell: true })
  }

  /** Installs packages and runs nothing of theirs. */
  install(...packages: string[]): void {
    this.npm('install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', ...packages)
  }

  /** Runs vitest with a node that was installed as a package, or with this one. @returns what it printed */
  vitest(node = process.execPath): string {
    const PATH = `${join(node, '..')}${delimiter}${process.env['PATH']}`
    return this.#run(node, [join('node_modules', 'vitest', 'vitest.mjs'), 'run'], { env: { PATH } })
  }

  /** @throws Error with what it printed when it failed */
  #run(command: string, args: string[], { env = {}, shell = false }): string {
    // what this run of vitest has set is not meant for theirs
    const { NODE_OPTIONS: _, VITEST: __, ...inherited } = process.env
    try {
      return execFileSync(command, args, {
        cwd: this.folder,
        encoding: 'utf8',
        stdio: 'pipe',
        shell,
        env: { ...inherited, NO_COLOR: '1', ...this.#environment, ...env },
      })
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
