import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { engines, peerDependencies } = JSON.parse(read('package.json')) as {
  engines: { node: string }
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
])('%s states the versions that the package needs', (page, sentences) => {
  for (const sentence of sentences) expect(read(page)).toContain(sentence)
})
