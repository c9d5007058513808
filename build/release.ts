/**
 * Makes a release in `release/`: the tarballs, the image, the bill of materials and the checksums. Ends with what is left to a person.
 *
 *     npm run release -- --dry-run    publishes nothing
 *     npm run release -- --publish    also publishes the package with provenance, which needs a CI system that npm trusts
 *
 * Run `.ci/run` before.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { names } from './surface/names.ts'

const root = resolve(import.meta.dirname, '..')
const release = join(root, 'release')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { name, version, repository } = JSON.parse(read('package.json')) as {
  name: string
  version: string
  repository?: unknown
}

/** Runs a command in a folder of the clone. The commands of npm are scripts, which Windows starts only from a shell. */
const run = (command: string, args: string[], cwd = root): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  })

/** What must be so before a release is published. */
function problems(): string[] {
  const released = new RegExp(`^## ${version.replaceAll('.', String.raw`\.`)} - \\d{4}-\\d\\d-\\d\\d$`, 'm')
  return [
    ...(released.test(read('CHANGELOG.md'))
      ? []
      : [`Give CHANGELOG.md a section "## ${version} - " with the day.`]),
    ...(run('git', ['status', '--porcelain']) === '' ? [] : ['Commit or remove the changes of the clone.']),
    ...(`${names(join(root, 'build/surface')).join('\n')}\n` === read('build/surface/released.txt')
      ? []
      : ['Run npx tsx build/surface/released.ts and commit build/surface/released.txt.']),
  ]
}

/** Packs, checks and describes the package. @returns the name of the tarball */
function pack(): string {
  // a file of an earlier build must not be published
  for (const folder of [release, join(root, 'dist')]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(release)
  run('npm', ['pack', '--pack-destination', release])
  run('npx', ['tsx', 'build/bundle-client.ts', 'release/client'])
  run('npm', ['pack', './release/client', '--pack-destination', release])
  const tarball = `${name}-${version}.tgz`
  const path = join(release, tarball)
  const { size } = statSync(path)
  if (size > 10.8e6) throw new Error(`${tarball} has ${size} bytes, 10.8 MB at most: leave something out.`)
  run('npx', ['publint', 'run', path, '--strict'])
  run('npx', ['attw', path, '--profile', 'esm-only'])
  // the packages that an install adds, with their licences; those of bundled code are in the tarball as *licences.txt. In the clone, npm
  // leaves out packages that development packages need too
  const install = join(release, 'install')
  mkdirSync(install)
  writeFileSync(join(install, 'package.json'), JSON.stringify({ name: 'install', version, private: true }))
  run('npm', ['install', '--no-audit', '--no-fund', path], install)
  const bill = run('npm', ['sbom', '--sbom-format', 'cyclonedx'], install)
  writeFileSync(join(release, 'sbom.cdx.json'), bill)
  for (const folder of ['client', 'install']) rmSync(join(release, folder), { recursive: true })
  const sums = readdirSync(release)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(release, file)))
          .digest('hex')}  ${file}\n`,
    )
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  return tarball
}

/** Builds the image where an engine exists. @returns its name; undefined without an engine */
function image(): string | undefined {
  const engine = ['docker', 'podman'].find((command) => spawnSync(command, ['info']).status === 0)
  if (engine === undefined) return undefined
  const tag = `bioprocess-sql:${version}`
  // podman's own format has no health check
  run(engine, ['build', ...(engine === 'podman' ? ['--format', 'docker'] : []), '-t', tag, '.'])
  return tag
}

const [mode] = process.argv.slice(2)
if (mode !== '--dry-run' && mode !== '--publish') throw new Error('Give --dry-run or --publish.')
const open = problems()
if (mode === '--publish' && open.length > 0) throw new Error(open.join('\n'))
const tarball = pack()
const tag = image()
if (mode === '--publish') run('npm', ['publish', `release/${tarball}`, '--provenance', '--access', 'public'])

const left = [
  ...open,
  ...(repository === undefined ? ['Give package.json a repository, a homepage and bugs.'] : []),
  ...(mode === '--publish'
    ? []
    : [
        `Tag the commit as v${version}, and run npm run release -- --publish in a CI system that npm trusts.`,
      ]),
  tag === undefined
    ? 'Build the image with docker build or podman build --format docker: this machine has no engine.'
    : `Push the image ${tag} to your registry.`,
  'Own the name bioprocess-sql at npm too: npx asks for it in a folder without the package.',
  'Attach the files of release/ to the release of the tag.',
]
process.stdout.write(
  `${run('git', ['describe', '--always', '--dirty']).trim()}: release/ has ${readdirSync(release).join(', ')}.\nLeft to a person:\n${left.map((line) => `- ${line}\n`).join('')}`,
)
