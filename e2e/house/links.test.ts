import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

const pages = sources().filter((path) => path.endsWith('.md') && !path.startsWith('bench/results/'))

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

test('every relative link of every page leads to a file, and to an anchor if it names one', () => {
  expect(pages.length).toBeGreaterThan(30)
  const dead = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path, anchor]) => {
        const target = path === '' ? page : join(dirname(page), path!)
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
      })
      .map(([link]) => `${page} has the dead link ${link}`),
  )
  expect(dead).toEqual([])
})
