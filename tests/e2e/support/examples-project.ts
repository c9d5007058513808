import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './cli.ts'
import { installFlags } from './install-flags.ts'
import { copyExample, packInto } from './installed-package.ts'
import { inherited } from './pipeline.ts'

/**
 * A project outside the repository with copies of examples. One install of the packed package and of what each example names
 * serves all of them.
 */
export function createExamplesProject(examples: readonly string[]): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'bioprocess-sql-examples-'))
  const tarball = `file:${packInto(dir)}`
  const manifest = { private: true, workspaces: ['examples/*'] }
  const devDependencies = { 'bioprocess-sql-contract': tarball }
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...manifest, devDependencies }))
  for (const name of examples) {
    const folder = join(dir, 'examples', name)
    copyExample(name, folder)
    const file = join(folder, 'package.json')
    if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace('file:../..', tarball))
  }
  execFileSync('npm', ['install', ...installFlags], { cwd: dir, stdio: 'pipe', env: inherited() })
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/**
 * Copies an example of the project as it stands in a built clone: below the configuration of the tests of this repository, with a
 * link to the package, as `npm install` makes it there. Other packages come from the project.
 *
 * @returns the folder of the example
 */
export function copyIntoClone(project: string, name: string): string {
  const clone = join(project, 'clone')
  for (const path of ['package.json', '.gitignore', 'vitest.config.ts', 'tests/e2e/support', 'dist'])
    cpSync(join(root, path), join(clone, path), { recursive: true })
  const folder = join(clone, 'examples', name)
  copyExample(name, folder)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(clone, join(folder, 'node_modules/bioprocess-sql-contract'))
  return folder
}
