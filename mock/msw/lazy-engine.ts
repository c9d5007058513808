import type { Call } from '../app/call.ts'
import type { SessionControl } from '../control/session.ts'
import { MockError } from './options.ts'

/** The reference server, wherever it runs. */
export interface Service {
  answer(call: Call): Promise<Response>
  /** Returns to the state of the start. */
  reset(): void
  /** Shapes the requests without a session. */
  session(id: ''): SessionControl
  close(): Promise<void>
}

/** A service for all who ask, started by the first of them. */
export interface LazyService {
  /** @throws MockError once it was closed */
  get(): Promise<Service>
  /** Changes rows, time or stubs, after the changes that were asked before. @throws MockError as {@link get} */
  change<T>(act: (session: SessionControl) => Promise<T>): Promise<T>
  /** Undoes all changes that were asked before. Whoever asks afterwards does not see them. */
  reset(): void
  close(): Promise<void>
}

/**
 * @param start a start that failed is tried again
 * @param undo undoes the changes of a service
 */
export function lazily(start: () => Promise<Service>, undo: (service: Service) => void): LazyService {
  let isClosed = false
  let starting: Promise<Service> | undefined
  let started: Service | undefined
  let pending = 0
  let turn: Promise<unknown> = Promise.resolve()
  /** Resolves when changes that were asked before the last reset have ended and are undone. */
  let undone: Promise<void> | undefined

  const begin = async (): Promise<Service> => {
    if (isClosed)
      throw new MockError('The mock was closed meanwhile. Await requests and changes before that.')
    starting ??= start().then(
      (service) => (started = service),
      (error) => {
        starting = undefined
        throw error
      },
    )
    return starting
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    pending++
    const result = turn.then(work).finally(() => pending--)
    turn = result.catch(() => {})
    return result
  }
  const undoStarted = () => {
    if (started) undo(started)
  }
  return {
    async get() {
      await undone
      return begin()
    },
    change: (act) => inTurn(async () => act((await begin()).session(''))),
    reset: () => {
      if (pending === 0) undoStarted()
      else undone = inTurn(async () => undoStarted())
    },
    async close() {
      isClosed = true
      await starting?.then(
        (service) => service.close(),
        () => {}, // told to the request that started it
      )
    },
  }
}
