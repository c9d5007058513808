import type { Judge } from '../mock/app/admin/judge.ts'
import { Refusal } from '../mock/app/refusal.ts'
import { contract } from '../schemas/contract.ts'
import { version } from './package.ts'

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
  return async ({ baseUrl, token }, signal) => {
    if (baseUrl !== undefined && !allowsTargets)
      throw new Refusal(
        403,
        'Only this server may be judged from here. Start it with --allow-target for others.',
      )
    if (isRunning)
      throw new Refusal(409, 'The suite is already running. Wait until it has ended, or stop it.')
    const target = baseUrl === undefined ? self() : { baseUrl, token: token ?? '' }
    const { checks, ndjsonStream, parseBaseUrl, runConformance, UsageError } =
      await import('../conformance/index.ts')
    const left = new AbortController()
    const utf8 = new TextEncoder()
    try {
      const header = {
        suite: { name: 'bioprocess-sql-contract', version },
        contract: { version: contract.version },
        target: { baseUrl: parseBaseUrl(target.baseUrl) },
        total: checks.length,
      }
      isRunning = true
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
              lines.end(report)
              if (!left.signal.aborted) controller.close()
            })
            .catch((error: unknown) => controller.error(error))
            .finally(() => (isRunning = false))
        },
        cancel: () => left.abort(),
      })
    } catch (error) {
      if (error instanceof UsageError) throw new Refusal(400, error.message)
      throw error
    }
  }
}
