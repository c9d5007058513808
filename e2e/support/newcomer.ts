import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** An empty folder outside the repository, where somebody begins with `npm init`. */
export class Newcomer {
  readonly folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-newcomer-'))

  constructor() {
    this.npm('init', '-y')
    this.npm('pkg', 'set', 'type=module')
  }

  /** Runs npm there. @returns what it printed */
  npm(...args: string[]): string {
    return execFileSync('npm', args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe', shell: true })
  }

  /** Installs packages and runs nothing of theirs. */
  install(...packages: string[]): void {
    this.npm('install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', ...packages)
  }

  /**
   * Runs vitest with a node that was installed as a package, or with this one.
   *
   * @returns what it printed
   * @throws Error with what it printed when a test failed
   */
  vitest(node = process.execPath): string {
    const { PATH, NODE_OPTIONS: _, VITEST: __, ...environment } = process.env
    try {
      return execFileSync(node, [join('node_modules', 'vitest', 'vitest.mjs'), 'run'], {
        cwd: this.folder,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...environment, NO_COLOR: '1', PATH: `${join(node, '..')}${delimiter}${PATH}` },
      })
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`vitest failed.\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
