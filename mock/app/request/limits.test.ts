import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../open-points/settings.ts'
import type { Refusal } from '../answer/refusal.ts'
import { checkDeclaredLength, checkStatementLength, maxStatementBytes, readBody } from './limits.ts'

const url = 'http://127.0.0.1/'
const megabyte = new Uint8Array(1_000_000)

function streamed(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown) {
  const body = new ReadableStream({ pull: async (controller) => void (await pull(controller)) })
  return new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
}

/** What readBody reads of a request. */
const callOf = (request: Request) => ({
  method: 'POST',
  url,
  signal: request.signal,
  body: request.body,
  arrayBuffer: () => request.arrayBuffer(),
})

describe('the body', () => {
  test('is read whole, however it is cut', async () => {
    const parts = ['{"sta', 'tement"', ':"SELECT 1"}'].map((text) => new TextEncoder().encode(text))
    const request = streamed((controller) => {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    })
    expect(new TextDecoder().decode(await readBody(request, 1000))).toBe('{"statement":"SELECT 1"}')
  })

  test('without a declared length is refused while it is still arriving', async () => {
    let sent = 0
    const endless = streamed((controller) => {
      sent += megabyte.length
      controller.enqueue(megabyte)
    })
    await expect(readBody(endless, 10_000)).rejects.toMatchObject({ status: 413 })
    expect(sent).toBeLessThan(10_000_000)
  })

  test('is refused by its declared length before it is read', () => {
    expect(() => checkDeclaredLength(new Headers({ 'content-length': '7000000' }))).toThrow(
      'longer than 1 MiB',
    )
    expect(() => checkDeclaredLength(new Headers({ 'content-length': '1048576' }))).not.toThrow()
  })

  test('is refused if it is longer than declared', async () => {
    const body = new Uint8Array(7_000_000)
    const request = new Request(url, { method: 'POST', headers: { 'content-length': '10' }, body })
    await expect(readBody(request, 10_000)).rejects.toMatchObject({ status: 413 })
  })

  test('is refused if it never ends', async () => {
    const dripping = streamed(() => new Promise(() => {}))
    await expect(readBody(dripping, 20)).rejects.toMatchObject({
      status: 408,
      headers: { connection: 'close' },
    })
  })

  test('is refused if it ends early', async () => {
    const broken = streamed((controller) => controller.error(new Error('reset')))
    await expect(readBody(broken, 1000)).rejects.toMatchObject({ status: 400 })
  })

  test('is refused while many long ones are arriving, unless it is short', async () => {
    const endings: (() => void)[] = []
    const unfinished = () => {
      const body = streamed(
        (controller) =>
          new Promise<void>((resolve) => {
            endings.push(() => (controller.close(), resolve()))
          }),
      )
      const request = { ...callOf(body), headers: new Headers({ 'content-length': '6000000' }) }
      return readBody(request, 10_000).then(
        () => 'read',
        (error: Refusal) => (error.headers['retry-after'] === '1' ? error.status : error),
      )
    }
    const long = Array.from({ length: 40 }, unfinished)
    expect(await Promise.race(long)).toBe(503)
    const short = new Request(url, { method: 'POST', headers: { 'content-length': '2' }, body: '{}' })
    expect(await readBody(short, 1000)).toHaveLength(2)
    for (const end of endings) end()
    const outcomes = await Promise.all(long)
    expect(outcomes.filter((outcome) => outcome === 'read')).toHaveLength(22)
    expect(outcomes.filter((outcome) => outcome === 503)).toHaveLength(18)
    expect(await readBody(new Request(url, { method: 'POST', body: megabyte }), 1000)).toHaveLength(1_000_000)
  })

  test('is read whole from many small pieces', async () => {
    let left = 200_000
    const pieces = streamed((controller) => {
      if (left-- > 0) controller.enqueue(Uint8Array.of(32))
      else controller.close()
    })
    expect(await readBody(pieces, 10_000)).toHaveLength(200_000)
  })

  test('may be absent', async () => {
    expect(await readBody(new Request(url, { method: 'POST' }), 1000)).toHaveLength(0)
  })
})

test('a statement may have 1 MiB of UTF-8, in any script', () => {
  expect(() => checkStatementLength('x'.repeat(maxStatementBytes), defaultSettings)).not.toThrow()
  expect(() => checkStatementLength('x'.repeat(maxStatementBytes + 1), defaultSettings)).toThrow(
    'longer than 1 MiB',
  )
  expect(() => checkStatementLength('µ'.repeat(maxStatementBytes / 2), defaultSettings)).not.toThrow()
  expect(() => checkStatementLength('µ'.repeat(maxStatementBytes / 2 + 1), defaultSettings)).toThrow(
    'longer than 1 MiB',
  )
})
