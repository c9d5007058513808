import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
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
  readonly #file: number
  readonly #bodies: boolean
  readonly #say: (sentence: string) => void
  /** Exchanges that could not be written. */
  notStored = 0

  /** @throws ProxyError if the file cannot be opened */
  constructor(folder: string, bodies: boolean, say: (sentence: string) => void) {
    this.#path = join(folder, 'exchanges.ndjson')
    this.#bodies = bodies
    this.#say = say
    try {
      makeFolder(folder)
      this.#file = openSync(this.#path, 'a', 0o600)
    } catch (error) {
      throw new ProxyError(
        `Cannot write to ${this.#path} (${codeOf(error)}). Name another folder with --store.`,
      )
    }
  }

  /** Writes a whole line or none. A failure is said once and counted. */
  add(exchange: Exchange, number: number): void {
    const { size } = fstatSync(this.#file)
    try {
      const line = Buffer.from(storedLine(exchange, number, this.#bodies))
      for (let at = 0; at < line.length;) at += writeSync(this.#file, line, at)
    } catch (error) {
      if (this.notStored++ === 0)
        this.#say(
          `Cannot write to ${this.#path} (${codeOf(error)}). Traffic passes; the report counts what is not stored.`,
        )
      try {
        ftruncateSync(this.#file, size)
      } catch {
        // a device has no length
      }
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
