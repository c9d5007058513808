import type { CallToolResult } from '@modelcontextprotocol/server'

/** Most characters of an answer: about 15,000 tokens of a model. */
const MOST_CHARACTERS = 60_000

/** The answer of a tool as text. A long one is cut, and says so. */
export function answer(text: string): CallToolResult {
  const rest = text.length - MOST_CHARACTERS
  const cut = `${text.slice(0, MOST_CHARACTERS)}\n… ${rest} more characters. Ask for fewer rows, columns or checks.`
  return { content: [{ type: 'text', text: rest > 0 ? cut : text }] }
}
