import { expect, test } from 'vitest'
import { answerWhole, toResponse } from './answer.ts'
import { BrokenConnection, delivered } from './truncated-body.ts'

const answer = answerWhole(200, '{"data":[]}')
const bytes = (...texts: string[]) => {
  const parts = texts.map((text) => new TextEncoder().encode(text))
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

/** What a client reads before the connection breaks. */
async function readUntilBroken(response: Response) {
  let text = ''
  try {
    for await (const part of response.body!) text += new TextDecoder().decode(part)
  } catch (error) {
    return { text, error }
  }
  return { text }
}

test('a reset connection makes fetch fail as over a network', () => {
  const response = toResponse({ ...answer, break: 'reset' })
  expect(response.type).toBe('error')
  expect(() => delivered(response)).toThrow(TypeError)
  expect(() => delivered(response)).toThrow(
    expect.objectContaining({
      message: 'fetch failed',
      cause: expect.objectContaining({ code: 'ECONNRESET' }),
    }),
  )
  expect(delivered(toResponse(answer)).status).toBe(200)
})

test.each([
  ['a whole body', answer.body, 5, '{"dat'],
  ['rows on their way', bytes('{"d', 'ata":', '[]}'), 5, '{"dat'],
  ['no byte of it', answer.body, 0, ''],
  ['more than there is', answer.body, 99, '{"data":[]}'],
])('sends the first bytes of %s, then breaks the connection', async (_, body, afterBytes, text) => {
  const response = toResponse({ ...answer, body, break: { afterBytes } })
  expect(response.headers.get('content-length')).toBe('11')
  expect(await readUntilBroken(response)).toEqual({ text, error: expect.any(BrokenConnection) })
})

test('a compressed body is unpacked without a network and keeps its header', async () => {
  const response = toResponse({ ...answer, gzip: true })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(await response.text()).toBe('{"data":[]}')
})
