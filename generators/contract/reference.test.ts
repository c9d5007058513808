import { describe, expect, test } from 'vitest'
import { openPointAnchor, requirementAnchor } from '../../schemas/reference.ts'
import { load } from './load.ts'
import { markProse } from './prose.ts'
import { expand, generateReference } from './reference.ts'

const sources = load(process.cwd())
const { requirements, openPoints, contract } = sources
const text = generateReference(sources, process.cwd())
const lines = text.split('\n')
const section = (heading: string) => {
  const start = lines.indexOf(heading)
  const length = lines.slice(start + 1).findIndex((line) => /^##+ /.test(line))
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length)
}
const rowsOf = (heading: string) =>
  section(heading)
    .filter((line) => line.startsWith('| '))
    .slice(2)

/** The paragraph or list item that starts with an anchor. */
const at = (anchor: string) => lines.find((line) => line.includes(`<a id="${anchor}"></a>`)) ?? ''

describe('docs/contract.md', () => {
  test('has one row for each column of every view', () => {
    for (const { name, schema } of sources.documents.filter(({ name }) => name.startsWith('views/'))) {
      const names = rowsOf(`### ${name.slice('views/'.length)}`)
        .slice(0, Object.keys(schema.properties!).length)
        .map((line) => line.split('`')[1])
      expect(names).toEqual(Object.keys(schema.properties!))
    }
  })

  test('describes the meaning of null for a nullable column', () => {
    expect(rowsOf('### v_bioprocesses')).toEqual(
      expect.arrayContaining([
        '| `parent_id` | string | the run has no parent | Identifier of the parent, if this run is a child; refers to `v_experiments.id`. |',
        '| `name` | string | never | Name of the run. |',
      ]),
    )
    expect(rowsOf('### QualityControl')[0]).toBe(
      '| `status` | any | not documented | Outcome of quality control. |',
    )
  })

  test('has exactly one anchor for each requirement and each open point', () => {
    const anchors = [...text.matchAll(/<a id="([^"]*)">/g)].map(([, anchor]) => anchor)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
    expect(anchors).toEqual(
      expect.arrayContaining([
        ...requirements.map(({ id }) => requirementAnchor(id)),
        ...openPoints.map(({ id }) => openPointAnchor(id)),
      ]),
    )
  })

  test('has the target of every link', () => {
    const slugs = lines
      .filter((line) => /^##+ /.test(line))
      .map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'))
    const anchors = [...text.matchAll(/<a id="([^"]*)">/g)].map(([, anchor]) => anchor)
    const targets = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target)
    expect(targets).toContain('req-sql-7')
    expect(new Set([...slugs, ...anchors])).toEqual(new Set([...slugs, ...anchors, ...targets]))
  })

  test('states each requirement with its level and side', () => {
    for (const requirement of requirements) {
      const line = at(requirementAnchor(requirement.id))
      expect(line).toContain(`**${requirement.id}** (${requirement.level}`)
      expect(line.includes('client)')).toBe(requirement.side === 'client')
      expect(line.includes('conditional')).toBe(requirement.conditional === true)
      const [word = ''] = /(MUST|SHOULD)/.exec(line) ?? []
      expect(word.toLowerCase() || 'observe', requirement.id).toBe(requirement.level)
    }
  })

  test('asks the question of each open point and shows its variants with their standing', () => {
    for (const { id, number, question, variants, default: usual } of openPoints) {
      const start = lines.indexOf(at(openPointAnchor(id)))
      const item = lines.slice(start, start + variants.length + 6)
      expect(item[0], id).toContain(`**${id}** (${number}): `)
      expect(question, id).toMatch(/\?/)
      for (const { slug, standing, requirement } of variants) {
        const row = item.find((line) => line.startsWith(`  | \`${slug}\``))
        expect(row?.includes('(default)'), `${id} ${slug}`).toBe(slug === usual)
        expect(row).toContain(requirement ? `| ${standing}: [${requirement}](#` : `| ${standing} |`)
      }
    }
  })

  test('cites the section of the contract and no line of it', () => {
    const citations = lines.filter((line) => line.startsWith('  Contract: '))
    expect(citations).toHaveLength(requirements.length + openPoints.length)
    expect(citations.filter((line) => /\blines?\b/.test(line))).toEqual([])
  })

  test('repeats the facts of contract.json correctly', () => {
    const { endpoint, limits, formulaExpressions, eventKinds } = contract
    for (const fact of [
      `${endpoint.method} {base_url}${endpoint.path}`,
      `${limits.executionMs / 1000} seconds | The statement is terminated with HTTP ${limits.timeoutStatus}.`,
      ...formulaExpressions.map((expression) => `\`${expression}\``),
      ...eventKinds.map((kind) => `### ${kind}`),
    ])
      expect(text).toContain(fact)
  })

  test('has rows of the same width in every table', () => {
    const tables = text
      .split(/\n(?! *\|)/)
      .map((block) => block.split('\n').filter((line) => /^ *\|/.test(line)))
    for (const rows of tables) {
      const widths = rows.map((row) => row.match(/(?<!\\)\|/g)!.length)
      expect(new Set(widths).size, rows[0]).toBeLessThanOrEqual(1)
    }
  })
})

describe('the template of docs/contract.md', () => {
  test.each([
    ['<!-- requirements REQ-SQL-99 -->', 'names REQ-SQL-99, which is not in schemas/'],
    ['<!-- schema views/v_none -->', 'names views/v_none, which is not in schemas/'],
    ['<!-- picture -->', 'has the unknown directive picture'],
    ['<!-- requirements REQ-HTTP-1 REQ-HTTP-1 -->', 'must name REQ-HTTP-1 once'],
    ['', 'must name REQ-HTTP-1 once'],
  ])('rejects %j', (template, message) => {
    expect(() => expand(template, sources)).toThrow(`generators/contract/contract.md ${message}`)
  })
})

describe('the conversion of prose', () => {
  const links = new Map([
    ['REQ-SQL-7', 'req-sql-7'],
    ['rows.case', 'open-rows-case'],
  ])

  test.each([
    ['compares last_updated_at with 1', 'compares `last_updated_at` with 1'],
    ['the timeseries_statistics_* columns', 'the `timeseries_statistics_*` columns'],
    [
      'uses time_derivative_hours(A) or v_quantities.id.',
      'uses `time_derivative_hours(A)` or `v_quantities.id`.',
    ],
    ['the body {"a": [1]} with --token', 'the body `{"a": [1]}` with `--token`'],
    ['see REQ-SQL-7 and rows.case', 'see [REQ-SQL-7](#req-sql-7) and [rows.case](#open-rows-case)'],
    ['`SELECT *` of <view> and [1]*', '`SELECT *` of \\<view> and \\[1\\]\\*'],
  ])('to Markdown marks code and links: %j', (plain, markdown) => {
    expect(markProse(plain, links)).toBe(markdown)
  })
})
