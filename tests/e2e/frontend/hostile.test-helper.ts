import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { checksums } from '../../../mock/node/pglite/plant.test-helper.ts'
import { contract } from '../../../schemas/index.ts'
import { type Hostile, type HostileRequest, hostileToken } from '../support/hostile/corpus.ts'
import { startCliServer } from '../support/cli.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

/** Statements whose answers no attack may change: settings of the session, and some rows. The checksums of all rows take longer. */
const fingerprints = [
  `SELECT to_char(now(), 'OF') AS zone,
    1.23456789012345678::float8::text AS digits, DATE '2025-01-02'::text AS date, interval '1 day 2:03'::text AS span,
    '\\'::text AS backslash, '\\x41'::bytea::text AS bytes, to_char(1234.5, 'L9G999D9') AS money`,
  'SELECT id, name FROM v_quantities ORDER BY id LIMIT 3',
]

/** A server in a process of its own that is attacked. */
export interface AttackedServer {
  /** Sends an attack. Expects the required answer, unchanged settings and some unchanged rows, and a clean log. */
  expectWithstands(attack: Hostile): Promise<void>
  /** Expects that no attack has changed a row. */
  expectUnchanged(): Promise<void>
  /** Resident memory of the server in MB, now and at its peak; undefined if the system has no /proc. */
  memory(): { readonly now: number; readonly peak: number } | undefined
  /** What it has printed so far. */
  log(): string
  close(): Promise<void>
}

/**
 * Starts the server as users do, so that all its output is checked. Some attacks run into the limit.
 *
 * @param rows the flags that choose the rows
 */
export async function startAttackedServer(
  rows = ['--scale', '0.01'],
  timeLimit = '5s',
): Promise<AttackedServer> {
  const flags = [...rows, '--time-limit', timeLimit, '--token', hostileToken]
  const { child, baseUrl, log, stop } = await startCliServer(flags)
  let output = log()
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (text) => (output += String(text)))
  const port = Number(new URL(baseUrl).port)
  /** On a busy machine the checksum may exceed the limit, which says nothing about the data. */
  const ask = async (statement: string) => {
    for (let left = 4; ; left--) {
      const [answer] = await exchange(port, [print({ body: JSON.stringify({ statement }) })])
      if (left === 0 || (answer?.status !== 503 && answer?.status !== 504)) return answer
    }
  }
  const fingerprint = () => Promise.all(fingerprints.map(ask))
  const [before, sums] = [await fingerprint(), await ask(checksums)]
  for (const answer of [...before, sums]) expect(answer?.body).toContain('"state":"success"')
  expect(sums?.body).toContain('"view":"v_experiments"')

  return {
    async expectWithstands({ id, send, must }) {
      const from = output.length
      const answers =
        'pieces' in send
          ? await exchange(port, send.pieces.map(latin1), send.pauseMs, send.hangUp)
          : await exchange(port, [
              print(
                'request' in send ? send.request : { body: JSON.stringify({ statement: send.statement }) },
              ),
            ])
      check(id, answers, must)
      expect(await fingerprint(), `after ${id}`).toEqual(before)
      expect(child.exitCode, id).toBeNull()
      expect(output.slice(from), id).not.toMatch(/\n\s+at .*:\d+|Unhandled|Warning:/)
      expect(output.slice(from), id).not.toContain(hostileToken)
    },
    expectUnchanged: async () => expect(await ask(checksums)).toEqual(sums),
    memory: () => {
      const file = `/proc/${child.pid}/status`
      if (!existsSync(file)) return undefined
      const text = readFileSync(file, 'utf8')
      const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024
      return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
    },
    log: () => output,
    close: stop,
  }
}

function check(id: string, answers: readonly Answer[], must: Hostile['must']): void {
  const [first] = answers
  if (must.status.length > 0)
    expect(must.status, `${id}: ${first?.body.slice(0, 300)}`).toContain(first?.status)
  if (must.answers !== undefined) expect(answers.length, id).toBe(must.answers)
  if (must.maxBytes !== undefined) expect(first!.body.length, id).toBeLessThan(must.maxBytes)
  if (must.state === undefined) return
  const { data, status } = JSON.parse(first!.body) as { data: unknown[]; status: Record<string, string> }
  expect(status['state'], `${id}: ${status['message']}`).toBe(must.state)
  if (must.state === 'error') expect(data, id).toEqual([])
  if (typeof must.message === 'string') expect(status['message'], id).toBe(must.message)
  if (must.message instanceof RegExp) expect(status['message'], id).toMatch(must.message)
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** The bytes of a request, not corrected or completed in any way. */
function print({
  method = 'POST',
  path = contract.endpoint.path,
  headers = {},
  body = '{"statement":"SELECT 1 AS a"}',
}: HostileRequest): Buffer {
  const bytes = Buffer.from(body)
  const all = {
    host: 'localhost',
    authorization: `Bearer ${hostileToken}`,
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`))
  return Buffer.concat([latin1([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')), bytes])
}

/** Writes pieces to a socket and reads the answers until the server ends the connection, or hangs up itself. */
function exchange(
  port: number,
  pieces: readonly Buffer[],
  pauseMs = 0,
  hangUp: true | undefined = undefined,
): Promise<Answer[]> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    const socket = connect(port, '127.0.0.1', async () => {
      for (const piece of pieces) {
        socket.write(piece)
        if (pauseMs > 0) await new Promise((next) => setTimeout(next, pauseMs))
      }
      if (hangUp) socket.destroy()
    })
    // a server that refuses early resets the connection while the rest is still being written
    socket.on('error', () => {})
    socket.on('data', (bytes) => received.push(bytes))
    socket.once('close', () => resolve(parseAnswers(Buffer.concat(received))))
  })
}

/** Parses consecutive HTTP/1.1 answers; the last one may be truncated. */
function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  let rest = bytes
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return answers
    const head = rest.subarray(0, headEnd).toString('latin1')
    rest = rest.subarray(headEnd + 4)
    const length = /^content-length: (\d+)/im.exec(head)?.[1]
    const parts: Buffer[] = []
    if (length !== undefined) {
      parts.push(rest.subarray(0, Number(length)))
      rest = rest.subarray(Number(length))
    } else if (/^transfer-encoding: chunked/im.test(head)) {
      for (;;) {
        const lineEnd = rest.indexOf('\r\n')
        if (lineEnd < 0) break
        const size = Number.parseInt(rest.subarray(0, lineEnd).toString('latin1'), 16)
        parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
        rest = rest.subarray(lineEnd + 4 + size)
        if (size === 0) break
      }
    }
    answers.push({ status: Number(head.slice(9, 12)), body: Buffer.concat(parts).toString() })
  }
}
