import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...flags], { cwd: dir, stdio: 'pipe', env: inherited() })
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
