import { randomUUID } from 'node:crypto'
import type { Judge, JudgeReport, JudgeTask } from '../../mock/app/admin/judge.ts'
import { Refusal } from '../../mock/app/answer/refusal.ts'
import { contract } from '../../schemas/contract.ts'
import { version } from '../package.ts'

/** A service and a token for it. */
interface Target {
  readonly baseUrl: string
  readonly token: string
}

/**
 * Runs the suite for the page, one run at a time: against this server, or against another one if that is allowed.
 *
 * @param self this server; called when a run starts
 */
export function pageJudge(self: () => Target, allowsTargets: boolean): Judge {
  let isRunning = false
  let last: JudgeReport | undefined

  const targetOf = ({ baseUrl, token = '', session }: JudgeTask): Target => {
    if (baseUrl !== undefined) return { baseUrl, token }
    const own = self()
    return session === undefined ? own : { ...own, baseUrl: `${own.baseUrl}/s/${session}` }
  }

  const start = async (target: Target, signal: AbortSignal) => {
    const { checks, ndjsonStream, parseBaseUrl, reportFormats, runConformance } =
      await import('../../conformance/index.ts')
    const left = new AbortController()
    const utf8 = new TextEncoder()
    const header = {
      suite: { name: 'bioprocess-sql-contract', version },
      contract: { version: contract.version },
      target: { baseUrl: parseBaseUrl(target.baseUrl) },
      total: checks.length,
    }
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const lines = ndjsonStream(header, (line) => {
          if (!left.signal.aborted) controller.enqueue(utf8.encode(line))
        })
        runConformance({
          ...target,
          version,
          signal: AbortSignal.any([signal, left.signal]),
          onResult: (result) => lines.result(result),
        })
          .then((report) => {
            if (left.signal.aborted) return
            last = { id: randomUUID(), html: reportFormats.html(report) }
            lines.end(report)
            controller.close()
          })
          .catch((error: unknown) => controller.error(error))
          .finally(() => (isRunning = false))
      },
      cancel: () => left.abort(),
    })
  }

  return {
    allowsTargets,
    report: () => last,
    async run(task, signal) {
      if (task.baseUrl !== undefined && !allowsTargets)
        throw new Refusal(
          403,
          'Only this server may be judged from here. Start it with --allow-target for others.',
        )
      if (isRunning)
        throw new Refusal(409, 'The suite is already running. Wait until it has ended, or stop it.')
      isRunning = true
      try {
        return await start(targetOf(task), signal)
      } catch (error) {
        isRunning = false
        const { UsageError } = await import('../../conformance/index.ts')
        throw error instanceof UsageError ? new Refusal(400, error.message) : error
      }
    },
  }
}
