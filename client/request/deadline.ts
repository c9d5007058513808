import { longestTimerMs } from '../../base/time/duration.ts'
import { untilAborted } from '../../base/until-aborted.ts'

/** The end of a timeout, or of a signal. */
export interface Deadline {
  /** Aborts at the end. */
  readonly signal: AbortSignal
  /** Whether the timeout ended. */
  isOver(): boolean
  /** Returns the result of work, or rejects at the end. */
  wait<T>(work: Promise<T>): Promise<T>
  clear(): void
}

/** A limit longer than any timer is none. Does not use `AbortSignal.any` and `timeout`: in Node 20, an unreferenced timeout may never fire. */
export function deadlineIn(ms: number, other: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let over = false
  const abort = () => controller.abort(other?.reason)
  const end = () => {
    over = true
    controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'))
  }
  const timer = ms > longestTimerMs ? undefined : setTimeout(end, ms)
  other?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    isOver: () => over,
    wait: (work) => untilAborted(work, controller.signal),
    clear: () => {
      clearTimeout(timer)
      other?.removeEventListener('abort', abort)
    },
  }
}
