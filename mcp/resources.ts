import type { McpServer } from '@modelcontextprotocol/server'
import { checks } from '../conformance/index.ts'
import { scenarios } from '../mock/index.ts'
import { openPoints, views } from '../schemas/index.ts'

/**
 * Registers the contract, its overview, the views, the checks, the open points and the scenarios as resources, such as `bioprocess-sql://views`.
 *
 * @param file reads a file of the package
 */
export function addResources(server: McpServer, file: (path: string) => string): void {
  const add = (name: string, description: string, content: string | readonly object[]) => {
    const [mimeType, text] =
      typeof content === 'string' ? ['text/markdown', content] : ['application/json', JSON.stringify(content)]
    server.registerResource(name, `bioprocess-sql://${name}`, { description, mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, text }],
    }))
  }
  add('overview', 'Read this first: request, answer, views, errors, limit.', file('docs/overview.md'))
  add('contract', 'All requirements, views and columns; long.', file('docs/contract.md'))
  add('views', 'The nine views and their columns.', views)
  const titles = checks.map(({ id, title }) => `- \`${id}\`: ${title}\n`)
  add('checks', 'The ids and titles of all checks.', titles.join(''))
  add('open-points', 'What services do in different ways.', openPoints)
  const described = Object.entries(scenarios).map(([name, { text, ids }]) => ({ name, text, ids }))
  add('scenarios', 'Chosen rows for `mcp --scenario`, with ids that a test may name.', described)
}
