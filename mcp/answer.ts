import type { CallToolResult } from '@modelcontextprotocol/server'
import type { McpOptions } from './options.ts'

/** Most characters of an answer: about 15,000 tokens of a model. */
const MOST_CHARACTERS = 60_000

/** Makes the answer of a tool of a text. A long one is cut, and says so; the tokens are masked. */
export function answering({ mock, service }: McpOptions): (text: string) => CallToolResult {
  const secrets = [mock.token, service?.token ?? ''].filter((token) => token !== '')
  return (unsafe) => {
    const text = secrets.reduce((masked, token) => masked.replaceAll(token, '[token]'), unsafe)
    const rest = text.length - MOST_CHARACTERS
    const cut = `${text.slice(0, MOST_CHARACTERS)}\n… ${rest} more characters. Ask for fewer rows, columns or checks.`
    return { content: [{ type: 'text', text: rest > 0 ? cut : text }] }
  }
}
