import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { names, unexplained } from '../../../generators/surface/names.ts'
import { root } from '../support/cli.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const remedy = `
These names of the last release are gone, and CHANGELOG.md does not say so. Keep what they name, or name it in backticks below "Removed" or
"Changed" of the Unreleased part, such as \`fixtures plot\`, \`serve --sql\`, \`createMock\` or \`MockOptions.token\`. A name as it stands here also counts.
`

test('nothing that users rely on has disappeared without a line in CHANGELOG.md', () => {
  const released = read('generators/surface/released.txt').trim().split('\n')
  const gone = unexplained(released, names(join(root, 'generators/surface')), read('CHANGELOG.md'))
  expect(gone, `${remedy}${gone.join('\n')}\n`).toEqual([])
})
