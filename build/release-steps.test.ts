import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cut, distTag, leftToPerson, signatureProblem } from './release-steps.ts'
import { names } from '../generators/surface/names.ts'

const root = resolve(import.meta.dirname, '..')
const files = [
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'docs/ci.md',
  'examples/ci/github.yml',
  ...['declarations', 'help', 'ids', 'released'].map((name) => `generators/surface/${name}.txt`),
]

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'release-'))))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** Copies what a cut changes. The changelog has something to release. */
function clone(): void {
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.2.0 - 2026-11-28\n',
  )
}

test('a cut gives the clone the version everywhere, and changes nothing else', () => {
  clone()
  const before = new Map(files.map((path) => [path, read(path)]))
  const { version } = JSON.parse(read('package.json'))
  cut(folder, '1.0.0-rc.1', '2026-12-01')
  expect(read('CHANGELOG.md')).toBe(
    '# Changelog\n\n## 1.0.0-rc.1 - 2026-12-01\n\n- A change.\n\n## 0.2.0 - 2026-11-28\n',
  )
  expect(read('generators/surface/released.txt')).toBe(
    `${names(join(folder, 'generators/surface')).join('\n')}\n`,
  )
  const renamed = new Map([
    ['package.json', [`"version": "${version}"`, '"version": "1.0.0-rc.1"', 1]],
    ['package-lock.json', [`"version": "${version}"`, '"version": "1.0.0-rc.1"', 2]],
    ['docs/ci.md', [`contract@${version}`, 'contract@1.0.0-rc.1', 1]],
    ['examples/ci/github.yml', [`contract@${version}`, 'contract@1.0.0-rc.1', 1]],
  ] as const)
  for (const [path, [from, to, times]] of renamed) {
    expect(read(path).split(to), path).toHaveLength(times + 1)
    expect(read(path).replaceAll(to, from), path).toBe(before.get(path))
  }
})

test.each([
  ['1.0', '"1.0" is no version. Write it as 1.0.0 or 1.0.0-rc.1.'],
  ['v1.0.0', '"v1.0.0" is no version.'],
])('a cut refuses the version %s', (version, message) => {
  clone()
  expect(() => cut(folder, version, '2026-12-01')).toThrow(message)
  expect(read('CHANGELOG.md')).toContain('## Unreleased')
})

test('a cut refuses a changelog without unreleased changes', () => {
  clone()
  cut(folder, '1.0.0-rc.1', '2026-12-01')
  const message = 'CHANGELOG.md: there is no section "## Unreleased" to release.'
  expect(() => cut(folder, '1.0.0-rc.2', '2026-12-02')).toThrow(message)
})

test('a release candidate is not what npm installs without a version', () => {
  expect(['1.0.0-rc.1', '1.0.0'].map(distTag)).toEqual(['next', 'latest'])
})

/** Puts an npm first that prints these texts and ends so. */
function npmThat(exitCode: number, stdout: string, stderr: string): void {
  const npm = join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\nprintf '${stdout}'\nprintf '${stderr}' >&2\nexit ${exitCode}\n`)
  chmodSync(npm, 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
}

test('signatures that npm verifies are no problem', () => {
  npmThat(0, '26 packages have verified registry signatures\\n', '')
  expect(signatureProblem(folder)).toBeUndefined()
})

test('a signature that is missing or wrong ends the release', () => {
  npmThat(1, '1 package has an invalid registry signature:\\nundici@7.30.2\\n', '')
  expect(() => signatureProblem(folder)).toThrow('invalid registry signature:\nundici@7.30.2')
})

test('keys that cannot be had are told as the reason of a skip', () => {
  npmThat(
    1,
    '',
    'npm error code ENOTFOUND\\nnpm error syscall getaddrinfo\\nnpm error network request failed\\n',
  )
  expect(signatureProblem(folder)).toBe('network request failed')
})

test('a person is told what only a person can do', () => {
  const manifest = { name: 'bioprocess-sql-contract', version: '1.0.0-rc.1' }
  const all = leftToPerson(manifest, { isPublished: false, signatures: 'network request failed' })
  for (const words of [
    'a repository, a homepage and bugs',
    'bioprocess-sql-contract, bioprocess-sql-client, and bioprocess-sql,',
    'https://bioprocess-sql-contract.example',
    'tag the commit as v1.0.0-rc.1',
    'provenance',
    '--tag next',
    'network request failed',
    'Build the image',
    'Attach the files of release/',
    'action.yml',
  ])
    expect(all.filter((line) => line.includes(words)).length, words).toBeGreaterThan(0)
  const published = leftToPerson(
    { ...manifest, repository: 'x' },
    { isPublished: true, image: 'bioprocess-sql:1' },
  )
  expect(published.join('\n')).not.toMatch(/package\.json|tag the commit|signatures|Build the image/)
})

test('the ids of the schemas have the host that a person is told of', () => {
  const { $id } = JSON.parse(readFileSync(join(root, 'schemas/claim.schema.json'), 'utf8')) as { $id: string }
  expect(leftToPerson({ name: '', version: '1.0.0' }, { isPublished: false }).join('\n')).toContain(
    new URL($id).origin,
  )
})

test('the workflow that publishes runs commands of the clone, and may prove where the package comes from', () => {
  const { permissions, jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'))
  expect(permissions).toEqual({ contents: 'write', 'id-token': 'write' })
  const commands = jobs.release.steps.flatMap(({ run }: { run?: string }) => run ?? [])
  expect(commands).toEqual([
    'npm ci',
    'npm test',
    'npm run release -- --publish',
    expect.stringMatching(/^gh release create .* release\/\*/),
  ])
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({ test: expect.any(String), release: expect.any(String) })
})
