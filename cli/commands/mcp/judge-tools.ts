import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { betweenCommas } from '../../../base/text/between-commas.ts'
import {
  comparisonMarkdown,
  regressions,
  runConformance,
  terminalReport,
  type ConformanceOptions,
} from '../../../conformance/index.ts'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { answering } from './answer.ts'
import type { McpOptions } from './options.ts'

/** Registers the tools that run the suite, show what a check exchanged, and compare two runs. */
export function addJudgeTools(server: McpServer, options: McpOptions): void {
  const { mock, service, version, commit } = options
  const tool = answering(options)
  const runs: ConformanceReport[] = []
  const target = z.enum(['mock', 'service']).default(service ? 'service' : 'mock')

  /** Runs the suite and tells the client how far it is. */
  function run(
    name: z.infer<typeof target>,
    chosen: Pick<ConformanceOptions, 'only' | 'evidence'>,
    { mcpReq }: ServerContext,
  ): Promise<ConformanceReport> {
    const judged = name === 'mock' ? mock : service
    if (!judged) throw new Error('There is no service to judge. Start mcp with --service-url URL.')
    // oxlint-disable-next-line no-underscore-dangle -- the name is the protocol's
    const progressToken = mcpReq._meta?.progressToken
    return runConformance({
      ...chosen,
      baseUrl: judged.baseUrl,
      token: judged.token,
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
  }

  server.registerTool(
    'judge',
    {
      annotations: { readOnlyHint: true },
      description: `Runs the conformance suite. It can judge the mock${service ? ` and ${service.baseUrl}` : ''}. The whole suite sends some 390 requests and waits for the time limit of the target, 30 seconds. With only, its verdict is incomplete at best. Each run has a number, for compare.`,
      inputSchema: z.strictObject({
        target,
        only: z
          .union([z.string(), z.array(z.string()).min(1)])
          .optional()
          .describe('ids of checks or requirements, or sql.*'),
      }),
    },
    tool(async ({ target, only }, context) => {
      const chosen = only === undefined ? undefined : [only].flat().flatMap(betweenCommas)
      const report = await run(target, { only: chosen }, context)
      return `run ${runs.push(report)}\n${terminalReport(report)}`
    }),
  )

  server.registerTool(
    'exchanges',
    {
      annotations: { readOnlyHint: true },
      description:
        'Runs one check again and answers its result with the requests and replies that decided it. Replies have the values of rows, which judge conceals.',
      inputSchema: z.strictObject({ check: z.string().describe('such as sql.limit'), target }),
    },
    tool(async ({ check, target }, context) => {
      const { checks } = await run(target, { only: [check], evidence: 'full' }, context)
      const results = checks.map(({ id, outcome, message, expected, actual, evidence }) => {
        return { id, outcome, message, expected, actual, exchanges: evidence }
      })
      return JSON.stringify(results, null, 1)
    }),
  )

  server.registerTool(
    'compare',
    {
      annotations: { readOnlyHint: true },
      description: 'Compares two runs of judge: what is worse, then every check that differs.',
      inputSchema: z.strictObject({
        before: z.int().min(1).optional().describe('the number of a run; by default the last but one'),
        after: z.int().min(1).optional().describe('the number of a later run; by default the last'),
      }),
    },
    tool(async ({ before = runs.length - 1, after = runs.length }) => {
      const [one, other] = [runs[before - 1], runs[after - 1]]
      if (!one || !other)
        throw new Error(`There are ${runs.length} runs. Call judge once more, or name two of them.`)
      const worse = regressions(one, other)
      const named = [one, other].map((report, i) => ({ name: `run ${[before, after][i]}`, report }))
      return `${worse.length === 0 ? 'Nothing is worse.' : worse.join('\n')}\n\n${comparisonMarkdown(named)}`
    }),
  )
}
