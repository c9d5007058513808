import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

/** Packs the files that npm would publish, as they were built before the tests: others use them. @returns the tarball in `folder` */
export function packInto(folder: string): string {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: 'pipe',
    shell: true,
  })
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  )
}

/** Installs a tarball in the folder of a project, without its dependencies. @returns the package's folder */
export function unpackInto(project: string, tarball: string): string {
  // without this file, a scratch project inside the repository resolves the package to the repository
  const manifest = join(project, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private": true}')
  const installed = join(project, 'node_modules/bioprocess-sql-contract')
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball], { cwd: project })
  rmSync(installed, { recursive: true, force: true })
  renameSync(join(project, 'package'), installed)
  return installed
}

/** Copies an example from examples/, without the files that its use creates. */
export function copyExample(name: string, folder: string): void {
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|dist|public|storybook-static|plant)$/.test(path),
  })
}

/** The names of the packages that an install of this one adds. */
export function addedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true; peer?: true }>
  }
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path]) => path.replace('node_modules/', ''))
}
