import { signal } from '@preact/signals'
import type { CheckResult } from '../../schemas/generated/types.ts'
import { linesOf } from '../service/event-stream.ts'
import { bodyOf, type Service } from '../service/service.ts'

/** How far the suite is: the outcomes so far, by the id of their check. */
export interface Progress {
  readonly total: number
  readonly outcomes: ReadonlyMap<string, CheckResult['outcome']>
}

/** The run of this page; undefined while there is none. It goes on behind the other tabs. */
export const progress = signal<Progress | undefined>(undefined)
/** The address of the last HTML report of the server. */
export const report = signal<string | undefined>(undefined)
/** Why the last run or the report failed. */
export const problem = signal<string | undefined>(undefined)

let running: AbortController | undefined
export const stop = (): void => running?.abort()

/** Asks the server for its last report. */
export async function readReport(service: Service): Promise<void> {
  const { report: path } = await bodyOf<{ report?: string }>(await service.admin('judge'))
  report.value = path && service.addressOf(path)
}

/**
 * Runs the suite on the server, and shows its report.
 *
 * @param target another service than this server
 */
export async function runSuite(
  service: Service,
  target: { readonly baseUrl?: string; readonly token?: string },
): Promise<void> {
  running = new AbortController()
  const { signal } = running
  problem.value = undefined
  progress.value = { total: 0, outcomes: new Map() }
  try {
    const response = await service.admin('judge', { method: 'POST', body: target, signal })
    if (!response.ok) await bodyOf(response)
    await follow(response.body!)
    await readReport(service)
  } catch (error) {
    if (!signal.aborted) problem.value = (error as Error).message
  } finally {
    progress.value = undefined
  }
}

type Line =
  | { readonly type: 'header'; readonly total: number }
  | { readonly type: 'check'; readonly id: string; readonly outcome: CheckResult['outcome'] }
  | { readonly type: 'footer' }

/** @throws Error if the stream ends early */
async function follow(body: ReadableStream<Uint8Array>): Promise<void> {
  let total = 0
  const outcomes = new Map<string, CheckResult['outcome']>()
  for await (const text of linesOf(body)) {
    const line = JSON.parse(text) as Line
    if (line.type === 'footer') return
    if (line.type === 'header') total = line.total
    else outcomes.set(line.id, line.outcome)
    progress.value = { total, outcomes: new Map(outcomes) }
  }
  throw new Error('The run ended before its report was complete. Run it again.')
}
