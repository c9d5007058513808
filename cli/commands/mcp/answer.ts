import type { CallToolResult } from '@modelcontextprotocol/server'
import type { McpOptions } from './options.ts'

/** Most characters of an answer: about 15,000 tokens of a model. */
const MOST_CHARACTERS = 60_000

/** Makes a tool of a function that returns a text or throws. A long text is cut, and says so; the tokens are masked. */
export function answering({ mock, service }: McpOptions) {
  const secrets = [mock.token, service?.token ?? ''].filter((token) => token !== '')
  function answer(unsafe: string): CallToolResult {
    const text = secrets.reduce((masked, token) => masked.replaceAll(token, '[token]'), unsafe)
    const rest = text.length - MOST_CHARACTERS
    const cut = `${text.slice(0, MOST_CHARACTERS)}\n… ${rest} more characters. Ask for fewer rows, columns or checks.`
    return { content: [{ type: 'text', text: rest > 0 ? cut : text }] }
  }
  return <Args extends unknown[]>(tool: (...args: Args) => Promise<string>) =>
    (...args: Args) =>
      tool(...args).then(answer, (error: Error) => ({ ...answer(error.message), isError: true }))
}
