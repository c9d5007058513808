import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../base/text/explain-json.ts'
import type { ViewName } from '../../../schemas/index.ts'

/** The bytes of a line in its file, with its end. */
export interface Place {
  readonly at: number
  readonly bytes: number
}

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

  append(line: Buffer): Place {
    const at = this.bytes
    this.#write(line, at)
    this.bytes += line.length
    return { at, bytes: line.length }
  }

  /** Replaces a line by empty ones, which readers skip, so that the places of others stay. */
  erase({ at, bytes }: Place): void {
    this.#write(Buffer.alloc(bytes, '\n'), at)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #write(text: Buffer, at: number): void {
    for (let done = 0; done < text.length;)
      done += writeSync(this.#descriptor, text, done, undefined, at + done)
  }
}

/** The rows of a view that are in the folder, with their places. */
export function* writtenRows(
  dir: string,
  view: ViewName,
  bytes: number,
): Generator<Place & { readonly row: Record<string, unknown> }> {
  if (bytes === 0) return
  const content = readFileSync(pathOf(dir, view)).subarray(0, bytes)
  for (let at = 0, end; at < content.length; at = end) {
    end = content.indexOf('\n', at) + 1 || content.length
    const text = content.toString('utf8', at, end).trim()
    if (text !== '') yield { at, bytes: end - at, row: parseJson(text) as Record<string, unknown> }
  }
}

const pathOf = (dir: string, view: ViewName): string => join(dir, `${view}.ndjson`)
