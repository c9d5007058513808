import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { engines, peerDependencies, devDependencies } = JSON.parse(read('package.json')) as {
  engines: { node: string }
  devDependencies: Record<string, string>
  peerDependencies: Record<string, string>
}
/** The versions of a range: `^2.10 || ^3` has 2.10 and 3. */
const versionsOf = (range: string) => range.split(' || ').map((part) => part.replace(/^(\^|>=)/, ''))
const [msw, nextMsw] = versionsOf(peerDependencies['msw']!)
const [node] = versionsOf(engines.node)

test.each([
  ['README.md', [`Node ${node} or later`, `${msw} or later or ${nextMsw} (on Node 20: 2)`]],
  [
    'docs/front-end.md',
    [
      `Node ${node} or later`,
      `msw ${msw} or later or msw ${nextMsw}`,
      `vitest ${versionsOf(peerDependencies['vitest']!)[0]} or later`,
      'on Node 20: msw@2',
    ],
  ],
  ['docs/ci.md', [`Node ${node} or\nlater`]],
  [
    'docs/operators.md',
    [`Node ${node}, msw ${msw} and vitest ${versionsOf(peerDependencies['vitest']!)[0]} stay for all of 1.x`],
  ],
])('%s states the versions that the package needs', (page, sentences) => {
  for (const sentence of sentences) expect(read(page)).toContain(sentence)
})

/** The ranges of msw in the examples that link the clone. */
const linking = readdirSync(join(root, 'examples')).flatMap((name) => {
  const path = `examples/${name}/package.json`
  const text =
    name.includes('.') || !readdirSync(join(root, 'examples', name)).includes('package.json')
      ? ''
      : read(path)
  const range = /"msw": "(.*)"/.exec(text)?.[1]
  return text.includes('"file:../.."') && range !== undefined ? [[path, range] as const] : []
})

// msw 3 cannot dispose the handlers of msw 2, which the mock takes from the clone
test.each(linking)('%s takes the msw of the clone, in its range %s', (_, range) => {
  const [major] = devDependencies['msw']!.split('.')
  expect(versionsOf(range).map((version) => version.split('.')[0])).toEqual([major])
})
