import { count } from '../parts/format.ts'
import { type Answer, StatementFailed } from '../service/answer.ts'
import { causeOf } from '../service/requests.ts'
import { type AskOptions, needsToken, type Service } from '../service/service.ts'

/** A statement at its start: what is read of its answer so far, and what cancels it. */
export const begin = () => ({
  state: 'running' as const,
  since: performance.now(),
  progress: { bytes: 0, rows: 0 },
  leaving: new AbortController(),
})
type Running = ReturnType<typeof begin>

/** How far a statement is. */
export type Run =
  | { readonly state: 'none' }
  | Running
  | { readonly state: 'rows'; readonly statement: string; readonly answer: Answer; readonly ms: number }
  | {
      readonly state: 'failed'
      readonly message: string
      readonly ms: number
      readonly status?: number | undefined
      /** The service that refused its token, if another one mends it. */
      readonly refusedBy?: Service
      /** Why, in the server's log. */
      readonly cause?: string
    }
  | { readonly state: 'cancelled'; readonly ms: number }

/** How a statement ended, in a few words. */
export function outcomeOf(run: Run): string {
  if (run.state === 'rows') return count(run.answer.rows.length, 'row')
  return run.state === 'failed' ? run.message.slice(0, 60) : run.state
}

/** Whether the token of a statement was refused, and the page has another one by now. */
export const isMended = (run: Run, service: Service): boolean =>
  run.state === 'failed' && run.refusedBy !== undefined && run.refusedBy !== service

/** Sends a statement; every failure is a state. */
export async function run(
  service: Service,
  statement: string,
  { since: started, progress, leaving: { signal } }: Running,
  options: Pick<AskOptions, 'isOfPage'> = {},
): Promise<Run> {
  const since = Date.now()
  const ms = () => performance.now() - started
  try {
    const answer = await service.ask(statement, { ...options, signal, progress })
    return { state: 'rows', statement, answer, ms: ms() }
  } catch (error) {
    const took = ms()
    if (signal.aborted) return { state: 'cancelled', ms: took }
    const cause = await causeOf(statement, since)
    if (error instanceof StatementFailed)
      return {
        state: 'failed',
        message: error.message,
        status: error.status,
        ...(needsToken(error) && { refusedBy: service }),
        ms: took,
        ...(cause && { cause }),
      }
    return {
      state: 'failed',
      message: 'The connection broke before an answer. The server stopped, or a fault resets connections.',
      ms: took,
      ...(cause && { cause }),
    }
  }
}
