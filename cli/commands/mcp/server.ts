import { McpServer } from '@modelcontextprotocol/server'
import { addJudgeTools } from './judge-tools.ts'
import type { McpOptions } from './options.ts'
import { addReadTools } from './read-tools.ts'
import { addResources } from './resources.ts'
import { addWriteTools } from './write-tools.ts'

/**
 * A server of the Model Context Protocol: an agent reads the contract, asks the mock, judges a service and, if allowed, changes the
 * mock. Tokens are masked in answers.
 *
 * @example await createMcpServer(options).connect(new StdioServerTransport())
 */
export function createMcpServer(options: McpOptions): McpServer {
  const { version, mock, allowWrite, file } = options
  const server = new McpServer(
    { name: 'bioprocess-sql', version },
    {
      instructions: `A read-only SQL service for bioprocess data, and a mock of it at ${mock.baseUrl}. Read bioprocess-sql://overview first.${allowWrite ? '' : ' Nothing can be changed: mcp was started without --allow-write.'}`,
    },
  )
  addResources(server, file)
  addReadTools(server, options)
  addJudgeTools(server, options)
  if (allowWrite) addWriteTools(server, options)
  return server
}
