import { Engine } from './engine.ts'
import type { PostgresEngine, PostgresEngineOptions } from './options.ts'

/**
 * Runs statements on PostgreSQL servers that somebody else operates, with the same gate in front and the same bytes as the
 * embedded engine.
 *
 * @throws DatabaseOptionError
 * @throws Error if no host can serve; the message names the remedy
 */
export async function createPostgresEngine(options: PostgresEngineOptions): Promise<PostgresEngine> {
  const engine = new Engine(options)
  try {
    await engine.start()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}
