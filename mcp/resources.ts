import type { McpServer } from '@modelcontextprotocol/server'
import { openPoints, views } from '../schemas/index.ts'

/**
 * Registers the contract, its overview, the views and the open points as resources, such as `bioprocess-sql://views`.
 *
 * @param file reads a file of the package
 */
export function addResources(server: McpServer, file: (path: string) => string): void {
  const add = (name: string, description: string, mimeType: string, text: string) =>
    server.registerResource(name, `bioprocess-sql://${name}`, { description, mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, text }],
    }))

  const [page, data] = ['text/markdown', 'application/json']
  add('overview', 'Read this first: request, answer, views, errors, limit.', page, file('docs/overview.md'))
  add('contract', 'All requirements, views and columns; long.', page, file('docs/contract.md'))
  add('views', 'The nine views and their columns.', data, JSON.stringify(views))
  add('open-points', 'What services do in different ways.', data, JSON.stringify(openPoints))
}
