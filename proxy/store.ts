import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '../client/conformance/index.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { storedLine } from './stored-line.ts'

/** The proxy cannot start; the message names the remedy. */
export class ProxyError extends Error {
  override name = 'ProxyError'
}

/** Appends exchanges to exchanges.ndjson in a folder. */
export class Store {
  readonly #path: string
  readonly #bodies: boolean
  readonly #say: (sentence: string) => void
  /** Exchanges that could not be written. */
  notStored = 0

  /** @throws ProxyError if the file cannot be written */
  constructor(folder: string, bodies: boolean, say: (sentence: string) => void) {
    this.#path = join(folder, 'exchanges.ndjson')
    this.#bodies = bodies
    this.#say = say
    try {
      makeFolder(folder)
      appendFileSync(this.#path, '', { mode: 0o600 })
    } catch (error) {
      throw new ProxyError(`${this.#problem(error)}. Name another folder with --store.`)
    }
  }

  /** A failure is said once and counted. */
  add(exchange: Exchange, number: number): void {
    try {
      appendFileSync(this.#path, storedLine(exchange, number, this.#bodies))
    } catch (error) {
      if (this.notStored++ === 0)
        this.#say(`${this.#problem(error)}. Traffic passes; the report counts what is not stored.`)
    }
  }

  #problem(error: unknown): string {
    return `Cannot write to ${this.#path} (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  }
}
