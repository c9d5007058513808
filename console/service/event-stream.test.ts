import { expect, test } from 'vitest'
import { eventsOf } from './event-stream.ts'

test('reads the data of events, however the stream is cut', async () => {
  const text = 'data: {"id":1}\nid: 1\n\n: a comment\n\ndata: {"text":"é"}\nid: 2\n\ndata: unfinished'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const events: string[] = []
    for await (const event of eventsOf(body)) events.push(event)
    expect(events).toEqual(['{"id":1}', '{"text":"é"}'])
  }
})
