import type { McpServer } from '@modelcontextprotocol/server'
import { parse, stringify } from 'lossless-json'
import * as z from 'zod'
import { contract } from '../../../schemas/index.ts'
import { answering } from './answer.ts'
import type { McpOptions } from './options.ts'

const [USUAL_ROWS, MOST_ROWS, MOST_READ, MOST_REQUESTS] = [20, 1000, 8_000_000, 50]

/** Registers the tools that ask, explain and list; they change nothing but the list of requests. */
export function addReadTools(server: McpServer, options: McpOptions): void {
  const { mock, explain } = options
  const tool = answering(options)

  server.registerTool(
    'ask',
    {
      annotations: { readOnlyHint: true },
      description:
        'Sends one SQL statement to the mock. Answers the HTTP status, the status of the reply and the first rows.',
      inputSchema: z.strictObject({
        statement: z.string().describe('such as SELECT id, name FROM v_bioprocesses LIMIT 5'),
        max_rows: z.int().min(0).max(MOST_ROWS).default(USUAL_ROWS),
      }),
    },
    tool(async ({ statement, max_rows }, { mcpReq }) => {
      const response = await fetch(mock.baseUrl + contract.endpoint.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${mock.token}` },
        body: JSON.stringify({ statement }),
        signal: mcpReq.signal,
      })
      return `HTTP ${response.status}\n${firstRows(await textOf(response), max_rows)}`
    }),
  )

  server.registerTool(
    'explain',
    {
      annotations: { readOnlyHint: true },
      description: 'Explains a check, a requirement, an open point or an invariant of the rows.',
      inputSchema: z.strictObject({ id: z.string().describe('such as sql.limit, REQ-SQL-3 or rows.shape') }),
    },
    tool(async ({ id }) => explain(id)),
  )

  server.registerTool(
    'list_requests',
    {
      annotations: { readOnlyHint: true },
      description: `Lists the newest ${MOST_REQUESTS} requests that reached the mock, the newest first, and what was answered.`,
      inputSchema: z.strictObject({
        statement: z.string().optional().describe('words of the statement, such as v_formulas'),
        status: z.int().optional().describe('HTTP status'),
      }),
    },
    tool(async (filter) =>
      JSON.stringify((await mock.session('').requests(filter)).toReversed().slice(0, MOST_REQUESTS), null, 1),
    ),
  )
}

/** The text of a reply. @throws Error for a large one, which is not read to its end */
async function textOf(response: Response): Promise<string> {
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.length > MOST_READ) throw new Error('The reply is too large. Add LIMIT, or name fewer columns.')
  }
  return text
}

/** The reply with its first rows, in which numbers stay as they are; another body as it is. */
function firstRows(text: string, most: number): string {
  try {
    const { data, ...rest } = parse(text) as { data: unknown[] }
    return stringify({ ...rest, rows: data.length, first: data.slice(0, most) }, undefined, 1)!
  } catch {
    return text
  }
}
