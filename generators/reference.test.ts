import { describe, expect, test } from 'vitest'
import { load } from './load.ts'
import { generateReference } from './reference.ts'

const sources = load(process.cwd())
const { text } = generateReference(sources)[0]!
const lines = text.split('\n')
const section = (heading: string) => {
  const start = lines.indexOf(heading)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('#'))
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length)
}
const rowsOf = (heading: string) =>
  section(heading)
    .filter((line) => line.startsWith('| '))
    .slice(2)

describe('reference.md', () => {
  test('has one row for each column of a view', () => {
    for (const { name, schema } of sources.documents.filter(({ name }) => name.startsWith('views/'))) {
      const names = rowsOf(`### ${name.slice('views/'.length)}`).map((line) => line.split('`')[1])
      expect(names).toEqual(Object.keys(schema.properties!))
    }
  })

  test('says what null means in nullable columns', () => {
    expect(rowsOf('### v_bioprocesses')).toEqual(
      expect.arrayContaining([
        '| `parent_id` | string | the run has no parent | Identifier of the parent, a row of v_experiments. |',
        '| `name` | string | never | Name of the run, as people call it. |',
      ]),
    )
    expect(rowsOf('### QualityControl')[0]).toBe(
      '| `status` | any | not documented | Outcome of quality control. |',
    )
  })

  test('links every object to its own section', () => {
    const anchors = [...text.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor)
    const headings = lines
      .filter((line) => line.startsWith('### '))
      .map((line) => line.slice(4).toLowerCase())
    expect(anchors).toContain('statistics')
    expect(headings).toEqual(expect.arrayContaining(anchors))
  })

  test('lists every requirement and every variant of every open point in tables of equal width', () => {
    const requirements = rowsOf('## Requirements')
    expect(requirements.map((line) => line.split(' ')[1])).toEqual(sources.requirements.map(({ id }) => id))
    const openPoints = rowsOf('## Open points')
    sources.openPoints.forEach(({ id, variants, default: slug }, index) => {
      expect(openPoints[index]).toMatch(new RegExp(`^\\| \`${id}\` \\|.*\\| \`${slug}\` \\|$`))
      for (const variant of variants) expect(openPoints[index]).toContain(`\`${variant.slug}\``)
    })
    for (const line of [...requirements, ...openPoints]) {
      expect(line.match(/(?<!\\)\|/g), line).toHaveLength(6)
    }
  })
})
