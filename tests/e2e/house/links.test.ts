import { execSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

const pages = sources().filter((path) => path.endsWith('.md'))

const textOf = (path: string): string =>
  readFileSync(join(root, path), 'utf8').replaceAll(/^```.*?^```$/gms, '')

/** The anchors of a page: explicit ones, and those that renderers give to headings. */
const anchorsOf = (path: string): Set<string> => {
  const text = textOf(path)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)])
}

/** The relative links of a page. A link without a path leads to the page itself. */
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([link, path, anchor]) => ({
    text: `${page} has the dead link ${link}`,
    target: path === '' ? page : join(dirname(page), path!),
    anchor,
  }))

test('every relative link of every page leads to a file, and to an anchor if it names one', () => {
  expect(pages.length).toBeGreaterThan(30)
  const dead = pages.flatMap(linksOf).filter(({ target, anchor }) => {
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
  })
  expect(dead.map(({ text }) => text)).toEqual([])
})

/** The files that npm packs, by name. */
function packedFiles(): Set<string> {
  const listed: unknown = JSON.parse(
    execSync('npm pack --dry-run --json --ignore-scripts', { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
  )
  // npm 11.10 and later write a record of packages in place of a list
  const [{ files }] = Object.values(listed as object) as [{ files: { path: string }[] }]
  return new Set(files.map(({ path }) => path))
}

test('every relative link of a packed page leads to a packed file; other files of the repository are named in code', () => {
  const packed = packedFiles()
  const packedPages = pages.filter((page) => packed.has(page))
  expect(packedPages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/front-end.md']))
  const dead = packedPages.flatMap(linksOf).filter(({ target }) => !packed.has(target.replaceAll('\\', '/')))
  expect(dead.map(({ text }) => text)).toEqual([])
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => Number(name.slice(0, 4)))
  const named = packedPages.flatMap((page) => [
    ...[...textOf(page).matchAll(/`((?:tests|docs\/decisions|examples)\/[\w./-]*)`/g)].map(
      ([, path]) => existsSync(join(root, path!)) || `${page} names ${path}, which does not exist`,
    ),
    ...[...textOf(page).matchAll(/\bdecision (\d+)/g)].map(
      ([text, number]) => decisions.includes(Number(number)) || `${page} names ${text}, which does not exist`,
    ),
  ])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((found) => found !== true)).toEqual([])
})
