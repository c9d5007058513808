import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

/** Packs what npm would publish into a folder. @returns the tarball */
export function packInto(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'pipe', shell: true })
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  )
}

/** Unpacks a tarball where a project of its own finds it. @returns the package's folder */
export function unpackInto(project: string, tarball: string): string {
  const installed = join(project, 'node_modules/bioprocess-sql-contract')
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball], { cwd: project })
  rmSync(installed, { recursive: true, force: true })
  renameSync(join(project, 'package'), installed)
  return installed
}

/** Copies one of examples/ into a folder, without what its own use left behind. */
export function copyExample(name: string, folder: string): void {
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|dist|public|storybook-static)$/.test(path),
  })
}
