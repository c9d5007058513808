import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Check } from '../../../conformance/checks/check.ts'
import { checks } from '../../../conformance/checks/index.ts'
import type { Mutant } from '../../proof/mutant.ts'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

/** Most source files and folders side by side, without tests. */
const most = 15

const isSource = (path: string): boolean =>
  /\.([cm]?[jt]sx?|css|html)$/.test(path) && !/\.(test|test-d|test-helper)\.tsx?$/.test(path)

/** The source files and folders in each folder of some rooms. */
function entriesOf(...rooms: string[]): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>()
  for (const path of rooms.flatMap((room) => sources(room)).filter(isSource)) {
    const names = path.split('/')
    for (const [index, name] of names.entries()) {
      const folder = names.slice(0, index).join('/')
      if (index > 0) entries.set(folder, (entries.get(folder) ?? new Set()).add(name))
    }
  }
  return entries
}

/** Folders of derived files, and those that follow the open points: one file for each. */
const follows = /(^|\/)(generated|open-points)(\/|$)/

const entries = [...entriesOf('conformance', 'mock', 'cli')].filter(([folder]) => !follows.test(folder))

test('a room holds at most 15 source files and folders', () => {
  expect(entries.length).toBeGreaterThan(30)
  const over = entries.filter(([, { size }]) => size > most).map(([folder]) => folder)
  expect(over, 'folders to divide').toEqual([])
})

test('no folder holds a single source file', () => {
  const single = entries.filter(([, { size }]) => size === 1).map(([folder]) => folder)
  expect(single, 'move the file up').toEqual([])
})

const areaOf = ({ id }: Pick<Check, 'id'>): string => id.split('.')[0]!

/** The exports of the files in a folder that have the member `key`, alone or in arrays, with the path of their file. */
async function exported<T extends object>(
  folder: string,
  key: keyof T,
): Promise<{ path: string; item: T }[]> {
  const paths = sources(folder).filter((path) => isSource(path) && !path.endsWith('/index.ts'))
  const found = paths.map(async (path) => {
    const module = (await import(join(root, path))) as Record<string, T | T[]>
    const items = Object.values(module)
      .flat()
      .filter((value) => Object.hasOwn(Object(value), key)) as T[]
    return items.map((item) => ({ path: path.slice(folder.length + 1, -3), item }))
  })
  return (await Promise.all(found)).flat()
}

test('a check stands in the file or folder that its id begins with', async () => {
  const all = await exported<Check>('conformance/checks', 'killedBy')
  expect(all.length).toBe(checks.length)
  const misplaced = all.filter(({ path, item }) => !path.split('/').includes(areaOf(item)))
  expect(misplaced.map(({ path, item }) => `${item.id} is in ${path}.ts`)).toEqual([])
})

test('a mutant stands in the file of an area whose checks judge what it breaks', async () => {
  const all = await exported<Mutant>('tests/proof/mutants', 'wrap')
  expect(all.length).toBeGreaterThan(400)
  const misplaced = all.filter(
    ({ path, item }) => !checks.some((check) => check.requirement === item.breaks && areaOf(check) === path),
  )
  expect(misplaced.map(({ path, item }) => `${item.id} is in ${path}.ts`)).toEqual([])
})
