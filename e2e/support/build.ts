import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

/** What the build writes last. */
const built = join(root, 'dist/mock/browser/packed.js')

/**
 * Builds the package if a source is newer than the last build. The tests start the command line from the build: it is
 * what ships, and it starts half a second faster than the sources.
 *
 * @throws Error with the output of the compiler if the package does not build.
 */
export default function build(): void {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
    include: string[]
  }
  const since = existsSync(built) ? statSync(built).mtimeMs : 0
  if (!include.some((folder) => changedSince(join(root, folder), since))) return
  const { status, stdout, stderr } = spawnSync('npm run build --silent', {
    cwd: root,
    shell: true,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The package does not build (npm run build):\n${stdout}${stderr}`)
}

const changedSince = (folder: string, since: number): boolean =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
    (file) => !/\.(full\.)?test/.test(file) && statSync(join(folder, file)).mtimeMs > since,
  )
