import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './cli.ts'
import { sources } from './sources.ts'

/** A copy of the sources of the repository in a temporary folder, with its installed packages. */
export class RepositoryCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'repository-'))
  /** The paths that were written, one for each change. What a program writes is not among them. */
  readonly written: string[] = []

  constructor() {
    for (const path of sources()) cpSync(join(root, path), join(this.#folder, path))
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /**
   * Replaces a text that occurs once in a file.
   *
   * @throws Error if the text occurs more or less often
   */
  replace(path: string, text: string, replacement: string): void {
    const before = readFileSync(join(this.#folder, path), 'utf8')
    if (before.split(text).length !== 2)
      throw new Error(`${path} does not have ${JSON.stringify(text)} exactly once. Correct the recipe.`)
    this.write(
      path,
      before.replace(text, () => replacement),
    )
  }

  write(path: string, text: string): void {
    this.written.push(path)
    writeFileSync(join(this.#folder, path), text)
  }

  /** Runs a program of the installed packages. */
  run(command: string): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, {
      cwd: this.#folder,
      shell: true,
      encoding: 'utf8',
      // In CI, a skipped test fails a run, and the commands select tests.
      env: { ...process.env, CI: '', NO_COLOR: '1' },
    })
    return { status, output: `${stdout}${stderr}` }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }
}
