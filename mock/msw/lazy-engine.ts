import type { PlantClock } from '../rows/session-clock.ts'
import { EngineBusy, type StatementEngine } from '../statement.ts'
import { MockError } from './options.ts'

/** An engine, wherever it runs, and the changes of its plant where they can be computed. */
export type MockEngine = StatementEngine & Pick<PlantClock, 'changes'>

/** An engine for all who ask, started by the first of them. */
export interface LazyEngine extends MockEngine {
  /**
   * Resolves when there is an engine. A start that failed is tried again.
   *
   * @throws MockError once it was closed
   */
  started(): Promise<void>
}

/** @param start starts the engine */
export function lazily(start: () => Promise<MockEngine>): LazyEngine {
  let isClosed = false
  let starting: Promise<StatementEngine> | undefined
  let changes: PlantClock['changes']

  const begin = async () => {
    const engine = await start()
    changes = engine.changes
    return engine
  }
  return {
    async started() {
      if (isClosed)
        throw new MockError('The mock was closed meanwhile. Await requests and changes before that.')
      starting ??= begin().catch((error) => {
        starting = undefined
        throw error
      })
      await starting
    },
    get changes() {
      return changes
    },
    async execute(statement, options) {
      // the request has asked for it before
      const engine = await starting
      if (!engine) throw new EngineBusy('The engine has not started. Send the statement again.')
      return engine.execute(statement, options)
    },
    async close() {
      isClosed = true
      await starting?.then(
        (engine) => engine.close(),
        () => {}, // told to the request that started it
      )
    },
  }
}
