import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uncovered } from '../../build/surface/uncovered.ts'
import { root } from '../support/cli.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const remedy = `
These lines of build/surface/released.txt are gone, and CHANGELOG.md does not say so. Keep what they describe, or name it in backticks
in the Unreleased part: what is gone under "Removed", such as \`fixtures plot\`, \`serve --sql\`, \`createMock\` or \`MockOptions.token\`,
and what has changed under "Changed". A line as it stands here also counts.
`

test('nothing that users rely on has disappeared without a line in CHANGELOG.md', () => {
  const released = read('build/surface/released.txt')
  for (const kind of ['action', 'cli', 'config', 'document', 'env', 'exit', 'export', 'header', 'route'])
    expect(released).toContain(`\n${kind} > `)
  const lines = uncovered(released, read('build/surface/surface.txt'), read('CHANGELOG.md'))
  expect(lines, `${remedy}${lines.join('\n')}\n`).toEqual([])
})
