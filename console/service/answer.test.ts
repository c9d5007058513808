import { describe, expect, test } from 'vitest'
import { readAnswer, StatementFailed } from './answer.ts'

const envelope = (data: unknown[], more: object = {}) =>
  JSON.stringify({ ...more, data, status: { state: 'success', message: 'Statement executed successfully' } })
const read = (body: string, status = 200, limit?: number) => readAnswer(new Response(body, { status }), limit)

describe('an answer', () => {
  test('is a table, whatever the shape of its rows', async () => {
    const objects = await read(envelope([{ id: 1 }, { id: 2, name: 'a' }]))
    expect([objects.columns, objects.rows]).toEqual([
      ['id', 'name'],
      [
        [1, null],
        [2, 'a'],
      ],
    ])
    const arrays = await read(envelope([[1, 'a']], { columns: ['id', 'name'] }))
    expect([arrays.columns, arrays.rows]).toEqual([['id', 'name'], [[1, 'a']]])
    expect((await read(envelope([[1, 'a']]))).columns).toEqual(['column 1', 'column 2'])
    expect((await read(envelope([]))).rows).toEqual([])
  })

  test('that is too long is cut after a whole row', async () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id, text: '}],{"é\\"', nested: [{ id }] }))
    const lines = new TextEncoder().encode(envelope(rows))
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < lines.length; at += 777) controller.enqueue(lines.slice(at, at + 777))
        controller.close()
      },
    })
    const cut = await readAnswer(new Response(stream), 20_000)
    expect(cut.isCut).toBe(true)
    expect(cut.rows.length).toBeGreaterThan(100)
    expect(cut.rows.at(-1)).toEqual([cut.rows.length - 1, '}],{"é\\"', [{ id: cut.rows.length - 1 }]])
  })

  test.each([
    [
      'an error of the contract',
      JSON.stringify({ data: [], status: { state: 'error', message: 'No.' } }),
      200,
      'No.',
    ],
    ['a body that is truncated', '{"data":[{"id":1}', 200, 'The answer is not the envelope: {"data"'],
    ['an empty body', '', 504, 'The answer is empty (HTTP 504).'],
    ['another document', '<html>', 502, 'The answer is not the envelope: <html>'],
  ])('is refused if it is %s', async (_, body, status, message) => {
    const failure = await read(body, status).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StatementFailed)
    expect((failure as StatementFailed).message).toContain(message)
    expect((failure as StatementFailed).status).toBe(status)
  })
})
