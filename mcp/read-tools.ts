import type { McpServer } from '@modelcontextprotocol/server'
import { parse, stringify } from 'lossless-json'
import * as z from 'zod'
import { betweenCommas } from '../base/text/between-commas.ts'
import { runConformance, terminalReport } from '../conformance/index.ts'
import { contract } from '../schemas/index.ts'
import { answering } from './answer.ts'
import type { McpOptions } from './options.ts'

const [USUAL_ROWS, MOST_ROWS, MOST_READ, MOST_REQUESTS] = [20, 1000, 8_000_000, 50]

/** Registers the tools that ask, explain, judge and list; they change nothing but the list of requests. */
export function addReadTools(server: McpServer, options: McpOptions): void {
  const { mock, service, explain, version, commit } = options
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
    'judge',
    {
      annotations: { readOnlyHint: true },
      description: `Runs the conformance suite. It can judge the mock${service ? ` and ${service.baseUrl}` : ''}. The whole suite takes about 40 seconds and sends some 400 requests. With only, its verdict is incomplete at best.`,
      inputSchema: z.strictObject({
        target: z.enum(['mock', 'service']).default(service ? 'service' : 'mock'),
        only: z
          .union([z.string(), z.array(z.string()).min(1)])
          .optional()
          .describe('ids of checks or requirements, or sql.*'),
      }),
    },
    tool(async ({ target, only }, { mcpReq }) => {
      const judged = target === 'mock' ? mock : service
      if (!judged) throw new Error('There is no service to judge. Start mcp with --service-url URL.')
      // oxlint-disable-next-line no-underscore-dangle -- the name is the protocol's
      const progressToken = mcpReq._meta?.progressToken
      const report = await runConformance({
        baseUrl: judged.baseUrl,
        token: judged.token,
        only: only === undefined ? undefined : [only].flat().flatMap(betweenCommas),
        version,
        commit,
        signal: mcpReq.signal,
        onResult: ({ id, outcome }, { done, total }) => {
          if (progressToken === undefined) return
          const params = { progressToken, progress: done, total, message: `${id} ${outcome}` }
          // a client that has gone needs no progress
          mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
        },
      })
      return terminalReport(report)
    }),
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
