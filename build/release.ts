/**
 * Makes a release in `release/`: the tarballs, the image, the bill of materials and the checksums. Ends with what is left to a person.
 *
 *     npm run release -- --cut 1.0.0-rc.1    gives the clone this version; commit it
 *     npm run release -- --dry-run           makes the release and publishes nothing
 *     npm run release -- --publish           also publishes both packages with provenance, which needs a CI system that npm trusts
 *
 * Run `.ci/run` before.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cut, distTag, leftToPerson, type Manifest, signatureProblem } from './release-steps.ts'
import { names } from '../generators/surface/names.ts'

const root = resolve(import.meta.dirname, '..')
const release = join(root, 'release')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const { name, version } = manifest

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
      : [`CHANGELOG.md has no section "## ${version} - " with the day: npm run release -- --cut VERSION.`]),
    ...(run('git', ['status', '--porcelain']) === '' ? [] : ['Commit or remove the changes of the clone.']),
    ...(`${names(join(root, 'generators/surface')).join('\n')}\n` === read('generators/surface/released.txt')
      ? []
      : ['Run npx tsx generators/surface/released.ts and commit generators/surface/released.txt.']),
  ]
}

/** Packs, checks and describes the packages. @returns why the signatures of dependencies could not be verified */
function pack(): string | undefined {
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
  run('tar', ['-xzf', path], release)
  const install = join(release, name)
  renameSync(join(release, 'package'), install)
  const {
    devDependencies: _,
    scripts: __,
    ...packed
  } = JSON.parse(readFileSync(join(install, 'package.json'), 'utf8'))
  writeFileSync(join(install, 'package.json'), JSON.stringify(packed))
  run('npm', ['install', '--omit', 'peer', '--ignore-scripts', '--no-audit', '--no-fund'], install)
  writeFileSync(join(release, 'sbom.cdx.json'), run('npm', ['sbom', '--sbom-format', 'cyclonedx'], install))
  const signatures = signatureProblem(install)
  for (const folder of ['client', name]) rmSync(join(release, folder), { recursive: true })
  const sums = readdirSync(release)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(release, file)))
          .digest('hex')}  ${file}\n`,
    )
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  return signatures
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

const [mode, next] = process.argv.slice(2)
if (mode === '--cut' && next !== undefined) {
  cut(root, next, new Date().toISOString().slice(0, 10))
  process.stdout.write(`The clone is ${next}. Commit it, then: npm run release -- --dry-run\n`)
  process.exit()
}
if (mode !== '--dry-run' && mode !== '--publish')
  throw new Error('Give --cut VERSION, --dry-run or --publish.')
const isPublished = mode === '--publish'
const open = problems()
if (isPublished && manifest.repository === undefined) open.push('Give package.json a repository.')
if (isPublished && open.length > 0) throw new Error(open.join('\n'))
const signatures = pack()
if (signatures !== undefined && isPublished)
  throw new Error(
    `npm audit signatures did not verify the dependencies: ${signatures} Nothing was published.`,
  )
if (signatures !== undefined)
  process.stderr.write(
    `SKIPPED: npm audit signatures. The registry or the network has no keys: ${signatures}\n`,
  )
const tag = image()
const tarballs = readdirSync(release).filter((file) => file.endsWith('.tgz'))
if (isPublished)
  for (const file of tarballs)
    run('npm', [
      'publish',
      `release/${file}`,
      '--provenance',
      '--access',
      'public',
      '--tag',
      distTag(version),
    ])

const left = [
  ...open,
  ...leftToPerson(manifest, { isPublished, ...(tag && { image: tag }), ...(signatures && { signatures }) }),
]
process.stdout.write(
  `${run('git', ['describe', '--always', '--dirty']).trim()}: release/ has ${readdirSync(release).join(', ')}.\nLeft to a person:\n${left.map((line) => `- ${line}\n`).join('')}`,
)
