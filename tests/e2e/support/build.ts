import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './cli.ts'

/** The file that the build writes last. */
const built = join(root, 'dist/mock/browser/packed.js')

/** Files outside the compiled folders that also decide what the build writes. */
const packageFiles = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

/**
 * Builds the package if a source, a generated file or a package file is newer than the last build. The tests start the
 * command line and threads (base/threads/ts-worker.mjs) from the build: the build is what ships, and it starts half a second faster than the sources.
 *
 * @throws Error with the output of the compiler if the package does not build.
 */
export default function build(project?: { readonly config: { readonly watch: boolean } }): void {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
    include: string[]
  }
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0
  const sources = [...packageFiles, ...[...include, 'console', 'build'].flatMap(filesIn)]
  // the sources of a run that watches them change after the build
  if (!project?.config.watch) process.env['BIOPROCESS_SQL_BUILT'] = `${pathToFileURL(root)}/`
  if (sources.every((path) => statSync(join(root, path)).mtimeMs <= builtAt)) return
  const { status, stdout, stderr } = spawnSync('npm run build --silent', {
    cwd: root,
    env: { ...process.env, BIOPROCESS_SQL_BUILT: undefined },
    shell: true,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The package does not build (npm run build):\n${stdout}${stderr}`)
}

/** A folder and all it holds but tests; the time of a folder changes when a file in it is added or deleted. */
const filesIn = (folder: string): string[] => [
  folder,
  ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !/\.test/.test(path))
    .map((path) => join(folder, path)),
]
