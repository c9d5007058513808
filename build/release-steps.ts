/** The steps of a release that need no build. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { names } from '../generators/surface/names.ts'

/** What `package.json` says of a release. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly repository?: unknown
}

/** Pages that install the package by its version. */
const naming = ['docs/ci.md', 'examples/ci/github.yml']

/**
 * Gives a clone the version of a release: in the manifest and its lock, in the pages that install it, as the heading of the changes that are
 * not released, and as the version whose names may not disappear unsaid.
 *
 * @param day as `2026-12-01`
 * @throws Error if the version is none, or the changelog has nothing to release
 */
export function cut(root: string, version: string, day: string): void {
  const numbers = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/
  if (!numbers.test(version)) throw new Error(`"${version}" is no version. Write it as 1.0.0 or 1.0.0-rc.1.`)
  const edit = (path: string, from: string, to: string, missing: string) => {
    const text = readFileSync(join(root, path), 'utf8')
    if (!text.includes(from)) throw new Error(`${path}: ${missing}`)
    writeFileSync(
      join(root, path),
      text.replaceAll(from, () => to),
    )
  }
  const heading = '\n## Unreleased\n'
  edit(
    'CHANGELOG.md',
    heading,
    `\n## ${version} - ${day}\n`,
    'there is no section "## Unreleased" to release.',
  )
  const { name, version: before } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  for (const path of naming)
    edit(path, `${name}@${before}`, `${name}@${version}`, `it no longer names ${name}@${before}.`)
  for (const path of ['package.json', 'package-lock.json']) {
    const { packages, ...rest } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const manifest = { ...rest, version }
    // the lock has the manifest of the clone a second time
    if (packages) manifest.packages = { ...packages, '': { ...packages[''], version } }
    writeFileSync(join(root, path), `${JSON.stringify(manifest, null, 2)}\n`)
  }
  const surface = join(root, 'generators/surface')
  writeFileSync(join(surface, 'released.txt'), `${names(surface).join('\n')}\n`)
}

/** The dist-tag of npm: `npm install` without a version must not find a release candidate. */
export const distTag = (version: string): string => (version.includes('-') ? 'next' : 'latest')

/**
 * Lets npm verify the signatures and the provenance of the packages that an install in this folder added.
 *
 * @returns undefined if they are right; why they could not be verified, where the registry or the network has no keys
 * @throws Error if one is missing or wrong
 */
export function signatureProblem(folder: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('npm', ['audit', 'signatures'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: 180_000,
  })
  if (status === 0) return undefined
  if (/signature|attestation/.test(stdout)) throw new Error(`npm audit signatures:\n${stdout}`)
  const [reason = 'npm audit signatures did not end.'] =
    stderr?.match(/(?<=npm error )(?!code|syscall|errno).*/) ?? []
  return reason
}

/** What a release still needs from a person. */
export function leftToPerson(
  { version, repository }: Manifest,
  { isPublished, image, signatures }: { isPublished: boolean; image?: string; signatures?: string },
): string[] {
  return [
    ...(repository === undefined
      ? ['Give package.json a repository, a homepage and bugs: npm refuses provenance without the first.']
      : []),
    'Own three names at npm: bioprocess-sql-contract, bioprocess-sql-client, and bioprocess-sql, for which npx asks in a folder without the package. `npm view NAME` answers 404 for a free one, `npm owner ls NAME` tells who has it.',
    'The ids of the schemas are below https://bioprocess-sql-contract.example, which nobody can own. Nothing loads them. Before 1.0.0, give them the address of a page of yours, or decide that they stay: later, a change breaks users.',
    ...(isPublished
      ? []
      : [
          `Run .ci/run and npm run test:release, commit, tag the commit as v${version} and push the tag: .github/workflows/release.yml publishes it with provenance. npm takes a workflow as a trusted publisher of a package that exists, so publish the first version as an owner: npm publish FILE --access public --tag ${distTag(version)}, for both tarballs of release/.`,
        ]),
    ...(signatures === undefined
      ? []
      : [
          `Verify the signatures of the dependencies, which did not work here (${signatures}): npm audit signatures, where the tarball is installed.`,
        ]),
    image === undefined
      ? 'Build the image with docker build or podman build --format docker, since this machine has no engine, and push it to your registry.'
      : `Push the image ${image} to your registry.`,
    'Attach the files of release/ to the release of the tag, unless the workflow did.',
    'List the action: the release of the tag on GitHub offers action.yml to the Marketplace. Projects that install the package need no listing.',
  ]
}
