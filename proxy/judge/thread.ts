import { startWorker } from '../../fixtures/threads/start-worker.ts'
import type { RawExchange } from '../recorder.ts'
import type { Judgement } from './judgement.ts'
import type { JudgeAnswer, JudgeRequest, JudgeTask } from './worker.ts'

/** Most bytes of exchanges that wait to be judged. Beyond, exchanges are counted only. */
const MOST_WAITING = 64 * 1024 * 1024

/** Judges and stores exchanges in a thread, so that no request waits for it. */
export class JudgeThread {
  readonly #worker
  #waiting = 0
  #notJudged = 0
  #reports: ((judgement: Judgement | undefined) => void)[] = []
  /** Resolves when the thread has ended, for whatever reason. */
  readonly #over: Promise<void>
  #isOver = false

  /** @param onError called if the thread fails, such as on a full disk; traffic continues to pass */
  constructor(task: JudgeTask, onError: (error: Error) => void) {
    this.#worker = startWorker('./worker.ts', import.meta.url, { workerData: task })
    this.#worker.on('message', (answer: JudgeAnswer) => {
      if ('taken' in answer) this.#waiting -= answer.taken
      else this.#reports.shift()?.(answer.judgement)
    })
    this.#worker.on('error', onError)
    this.#over = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isOver = true
        for (const report of this.#reports.splice(0)) report(undefined)
        resolve()
      })
    })
  }

  add(exchange: RawExchange): void {
    const parts = [exchange.body.bytes, ...(exchange.answer ? [exchange.answer.body.bytes] : [])]
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#waiting + bytes > MOST_WAITING) {
      this.#notJudged++
      return
    }
    this.#waiting += bytes
    this.#post(
      { exchange },
      parts.map(({ buffer }) => buffer as ArrayBuffer),
    )
  }

  /** What the exchanges added so far showed; undefined once the thread has ended. */
  report(): Promise<Judgement | undefined> {
    if (this.#isOver) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#reports.push(resolve)
      this.#post({ report: true, notJudged: this.#notJudged })
    })
  }

  /** Ends the thread after it has taken every exchange. */
  async close(): Promise<void> {
    this.#post({ end: true })
    await this.#over
  }

  #post(request: JudgeRequest, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, moved)
  }
}
