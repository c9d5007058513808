import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { day, iso, type Micros } from '../../../../fixtures/time.ts'
import { checkSpeed, clockFrom, type LiveOptions } from '../../pglite/live-plant.ts'
import { PlantThread } from '../../pglite/plant-thread.ts'
import { type Layout, layoutOf } from '../load/layout.ts'
import { connectPrimary } from '../load/primary.ts'
import { applySteps } from './apply-steps.ts'
import { readPlant } from './stored-plant.ts'

export interface LiveDatabaseOptions extends LiveOptions {
  /** The URL of the owner of the tables, see ../address.ts. */
  readonly url: string
  /** The schema of the views. */
  readonly schema: string
  /** The version of this package, which must have loaded the plant. Default: any. */
  readonly version: string | undefined
  readonly log: (message: string) => void
}

/** The class of the advisory lock; its object is the hash of the schema. Any number, the same in all servers. */
const liveLock = 1_649_760_493

/** The server ends the session of a writer that says nothing for so long, in milliseconds: its host may be lost. */
const silentForMs = 30_000

/** The longest that a change may take to be written, and that closing waits for it, in milliseconds: the primary may be lost. */
const [writeWithinMs, closeWithinMs] = [20_000, 2_000]

/**
 * Advances the time of the plant in a database. Of several servers, the one whose session holds the advisory lock on the primary
 * writes; another takes over when that session has ended. Time stands still meanwhile.
 */
export class LiveDatabase {
  readonly #options: LiveDatabaseOptions
  readonly #layout: Layout
  readonly #closing = new AbortController()
  #now: Micros | undefined
  #ended: Promise<void> | undefined
  #said = ''

  constructor(options: LiveDatabaseOptions) {
    checkSpeed(options)
    this.#options = options
    this.#layout = layoutOf(options.schema)
  }

  /** The plant's time, ISO 8601, as this server wrote it or last read it. */
  get now(): string | undefined {
    return this.#now === undefined ? undefined : iso(this.#now)
  }

  /** Starts the clock. @throws DatabaseError if the plant cannot be written; the message names the remedy */
  async start(): Promise<void> {
    const { url } = this.#options
    const { client } = await connectPrimary(url)
    try {
      await this.#read(client)
    } finally {
      await client.end()
    }
    this.#ended = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    // a primary that is lost does not answer
    await Promise.race([this.#ended, sleep(closeWithinMs, undefined, { ref: false })])
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#advance()
      } catch (error) {
        if (signal.aborted) return
        const reason = (error as Error).message.replace(/\.$/, '')
        this.#say(
          `The time of the plant does not advance for the moment; this server tries again. ${reason}.`,
        )
        await this.#pause().catch(() => {})
      }
    }
  }

  /** Waits for the lock, then writes, on one connection: a writer without the lock has none to write on. */
  async #advance(): Promise<never> {
    const { client } = await connectPrimary(this.#options.url, { query_timeout: writeWithinMs })
    const alive = setInterval(() => void client.query('SELECT').catch(() => {}), silentForMs / 3).unref?.()
    try {
      await client.query(
        `SET idle_session_timeout = ${silentForMs}; SET idle_in_transaction_session_timeout = ${silentForMs}`,
      )
      while (!(await this.#takeLock(client))) {
        this.#say('Another server advances the plant. This one takes over when that one ends.')
        await this.#read(client)
        await this.#pause()
      }
      return await this.#write(client)
    } finally {
      clearInterval(alive)
      // not awaited: a host that is lost does not answer
      void client.end().catch(() => {})
    }
  }

  async #write(client: pg.Client): Promise<never> {
    const { plant, key, now: start } = await this.#read(client)
    const clock = clockFrom(start, this.#options)
    const thread = new PlantThread(plant)
    this.#say(`This server advances the plant from ${iso(start)} on.`)
    try {
      for (let from = start; ;) {
        await this.#pause()
        const to = clock()
        if (!(to > from)) continue
        const steps = await thread.changes(from, to)
        await within(client, applySteps(client, this.#layout, { key, from, to }, steps))
        if (Math.floor(to / day) > Math.floor(from / day))
          this.#options.log(`The plant has reached ${iso(to).slice(0, 10)}.`)
        this.#now = from = to
      }
    } finally {
      await thread.close()
    }
  }

  async #read(client: pg.Client) {
    const stored = await readPlant(client, this.#layout, this.#options.version)
    this.#now = stored.now
    return stored
  }

  async #takeLock(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
      [liveLock, this.#layout.tables],
    )
    return rows[0]!.taken
  }

  /** Logs a sentence unless it was the last one. */
  #say(message: string): void {
    if (message !== this.#said) this.#options.log(message)
    this.#said = message
  }

  /** @throws Error when the server closes */
  async #pause(): Promise<void> {
    await sleep(this.#options.intervalMs ?? 1000, undefined, { signal: this.#closing.signal, ref: false })
  }
}

/** Ends the connection of a work that takes too long, which then fails. */
async function within(client: pg.Client, work: Promise<void>): Promise<void> {
  const timer = setTimeout(() => void client.end().catch(() => {}), writeWithinMs)
  await work.finally(() => clearTimeout(timer))
}
