import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ViewName } from '../../schemas/index.ts'

/** The file of a view while it is written: a JSON object a line. */
export class ViewFile {
  readonly #descriptor: number
  /** Bytes written. */
  bytes: number

  /** @param bytes the valid bytes of an existing file; what follows is from a batch that was interrupted */
  constructor(dir: string, view: ViewName, bytes: number) {
    this.#descriptor = openSync(pathOf(dir, view), bytes > 0 ? 'r+' : 'w')
    ftruncateSync(this.#descriptor, bytes)
    this.bytes = bytes
  }

  append(rows: readonly object[]): void {
    const text = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    for (let at = 0; at < text.length;)
      at += writeSync(this.#descriptor, text, at, undefined, this.bytes + at)
    this.bytes += text.length
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** The rows of a view that are in the folder. */
export function writtenRows(dir: string, view: ViewName, bytes: number): Record<string, unknown>[] {
  if (bytes === 0) return []
  const text = readFileSync(pathOf(dir, view)).subarray(0, bytes).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const pathOf = (dir: string, view: ViewName): string => join(dir, `${view}.ndjson`)
