import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { FaultText, SessionRowsByView } from '../../../mock/index.ts'
import { answering } from './answer.ts'
import type { McpOptions } from './options.ts'

/** Registers the tools that change what the mock answers. */
export function addWriteTools(server: McpServer, options: McpOptions): void {
  const session = options.mock.session('')
  const tool = answering(options)

  server.registerTool(
    'arm',
    {
      description: 'Makes the mock answer by other variants, or fail. Faults replace those before.',
      inputSchema: z.strictObject({
        variants: z.record(z.string(), z.string()).optional().describe('such as {"rows.shape": "array"}'),
        next: z.int().min(1).optional().describe('how many statements use the variants; without it, all do'),
        faults: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .describe('such as ["status:503,rate=0.2"]; [] removes all'),
      }),
    },
    tool(async ({ variants: given = {}, next, faults }) => {
      const variants = Object.keys(given).length > 0 ? given : undefined
      if (!variants && (!faults || next)) throw new Error('Give variants, or faults without next.')
      if (variants) await (next === undefined ? session.use(variants) : session.once(variants, next))
      if (faults) await session.faults([faults].flat() as FaultText[])
      return `Armed: ${JSON.stringify({ variants, next, faults })}. The tool reset returns to the start.`
    }),
  )

  server.registerTool(
    'put_rows',
    {
      description: 'Adds rows to views, or replaces those with the same key. Missing columns get defaults.',
      inputSchema: z.strictObject({
        rows: z
          .record(z.string(), z.array(z.record(z.string(), z.unknown())))
          .describe('rows by view, such as {"v_quantities": [{"id": "q1", "name": "Colour"}]}'),
      }),
    },
    tool(async ({ rows }) => JSON.stringify(await session.rows.put(rows as SessionRowsByView))),
  )

  server.registerTool(
    'reset',
    { description: 'Returns the mock to its start, with an empty list of requests.' },
    tool(() => session.reset().then(() => 'The mock is as it was at its start.')),
  )
}
