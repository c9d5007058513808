import type { McpServer } from '@modelcontextprotocol/server'
import { checks } from '../../../conformance/index.ts'
import { scenarios } from '../../../mock/index.ts'
import { openPoints, views } from '../../../schemas/index.ts'

type Part = readonly [title: string, text: string]

/**
 * Registers the contract, its overview, the views, the checks, the open points and the scenarios as resources, each of which has less than 10 kB:
 * `bioprocess-sql://contract` lists the sections, such as `bioprocess-sql://contract/loading-changes`.
 *
 * @param file reads a file of the package
 */
export function addResources(server: McpServer, file: (path: string) => string): void {
  const add = (name: string, description: string, text: string, mimeType = 'text/markdown') =>
    server.registerResource(name, `bioprocess-sql://${name}`, { description, mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, text }],
    }))
  const addParts = (name: string, description: string, parts: readonly Part[], mimeType?: string) => {
    const links = parts.map(([title]) => `- [${title}](bioprocess-sql://${name}/${slugOf(title)})\n`)
    add(name, description, links.join(''))
    for (const [title, text] of parts) add(`${name}/${slugOf(title)}`, title, text, mimeType)
  }
  add('overview', 'Read this first: request, answer, views, errors, limit.', file('docs/overview.md'))
  addParts(
    'contract',
    'The sections of the contract, with all requirements.',
    sectionsOf(file('docs/contract.md')),
  )
  addParts(
    'views',
    'The nine views; each with its columns.',
    views.map((view) => [view.name, JSON.stringify(view)]),
    'application/json',
  )
  addParts('checks', 'The groups of checks; each with ids and titles.', groups())
  add(
    'open-points',
    'What services do in different ways. The tool explain has the variants of each.',
    openPoints.map(({ id, question }) => `- \`${id}\`: ${question}\n`).join(''),
  )
  const described = Object.entries(scenarios).map(([name, { text, ids }]) => ({ name, text, ids }))
  add(
    'scenarios',
    'Chosen rows for `mcp --scenario`, with ids that a test may name.',
    JSON.stringify(described),
    'application/json',
  )
}

/** The anchor of a heading. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^\w-]/g, '')

/** The sections of a page, also those of lower levels, each with its heading. */
function sectionsOf(page: string): Part[] {
  const sections = page.split(/^(?=#{1,3} )/m).filter((section) => section.startsWith('#'))
  return sections.map((section) => [/^#+ (.*)/.exec(section)![1]!, section])
}

/** The checks by the first word of their ids. */
function groups(): Part[] {
  const texts = new Map<string, string>()
  for (const { id, title } of checks) {
    const group = /^[^.]+/.exec(id)![0]
    texts.set(group, `${texts.get(group) ?? ''}- \`${id}\`: ${title}\n`)
  }
  return [...texts]
}
