import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const endpoint = 'https://data.example.org/external/v1/statements/'
export const TOKEN = 'a-secret-token-of-the-client'

/** Anything that a HAR file may hold, so that tests can write wrong ones. */
export type Loose = Record<string, any>

export const rows = (data: unknown[], message = 'ok', state = 'success'): string =>
  JSON.stringify({ data, status: { state, message } })

const bytesIn = (text: string): number => Buffer.byteLength(text)

export const header = (name: string, value: unknown) => ({ name, value })

/** An entry as the specification describes it: a statement, and an answer that keeps the rules. */
export function entry({
  statement = 'SELECT id, name FROM v_quantities LIMIT 1',
  answer = rows([{ id: 'q1', name: 'pH' }]),
  status = 200,
  startedMs = 0,
  time = 10,
  token = TOKEN,
}: {
  statement?: string
  answer?: string
  status?: number
  startedMs?: number
  time?: number
  token?: string
} = {}): Loose {
  const body = JSON.stringify({ statement })
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + startedMs).toISOString(),
    time,
    request: {
      method: 'POST',
      url: endpoint,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [header('Authorization', `Bearer ${token}`), header('Content-Type', 'application/json')],
      queryString: [],
      postData: { mimeType: 'application/json', text: body },
      headersSize: -1,
      bodySize: bytesIn(body),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [header('Content-Type', 'application/json')],
      content: { size: bytesIn(answer), mimeType: 'application/json', text: answer },
      redirectURL: '',
      headersSize: -1,
      bodySize: bytesIn(answer),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}

/** The same entry after a change. */
export function changed(change: (entry: Loose) => void, of = entry()): Loose {
  change(of)
  return of
}

export const har = (...entries: unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })

/** Writes a file that is removed after the test. @returns its path */
export function fileOf(text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'traffic-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'seen.har')
  writeFileSync(file, text)
  return file
}
