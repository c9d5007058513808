import type { CheckResult, ConformanceReport } from '../../schemas/generated/types.ts'
import type { Service } from '../service/service.ts'

/** How far the suite is. */
export interface Progress {
  readonly total: number
  /** The results so far, by the id of their check. */
  readonly results: ReadonlyMap<string, CheckResult>
}

type Line =
  | { readonly type: 'header'; readonly total: number }
  | (CheckResult & { readonly type: 'check' })
  | (Omit<ConformanceReport, 'checks'> & { readonly type: 'footer'; readonly lines: number })

/**
 * Runs the suite on the server.
 *
 * @param target another service than this server
 * @returns the report
 * @throws Error with the server's sentence, or if the stream ends early
 */
export async function runSuite(
  service: Service,
  target: { readonly baseUrl?: string; readonly token?: string },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<ConformanceReport> {
  const response = await service.admin('judge', { method: 'POST', body: target, signal })
  if (!response.ok || !response.body) {
    const refused = (await response.json()) as { status?: { message?: string } }
    throw new Error(refused.status?.message ?? `The server answered ${response.status}.`)
  }
  let total = 0
  const results = new Map<string, CheckResult>()
  for await (const line of linesOf(response.body)) {
    const { type, ...rest } = JSON.parse(line) as Line
    if (type === 'header') total = (rest as { total: number }).total
    else if (type === 'check') results.set((rest as CheckResult).id, rest as CheckResult)
    else {
      const { lines: _, ...report } = rest as ConformanceReport & { lines: number }
      return { ...report, checks: [...results.values()] }
    }
    onProgress({ total, results: new Map(results) })
  }
  throw new Error('The run ended before its report was complete. Run it again.')
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
