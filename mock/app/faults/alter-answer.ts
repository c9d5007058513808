import type { Answer } from '../answer.ts'
import { streamOf } from '../truncated-body.ts'
import type { Clock } from './clock.ts'
import type { Truncate } from './fault.ts'

/** The body of an answer whose length nobody knows is said to be so many bytes longer than what is sent of it. */
const missingBytes = 1024

/** How often a second something of a dripping body is sent, at most. */
const dripsPerSecond = 10

/** The answer without the end of its body. */
export function truncateAnswer(answer: Answer, { bytes, framing = 'content-length' }: Truncate): Answer {
  const length = lengthOf(answer)
  const kept = within(bytes, length)
  const { 'content-length': _, ...headers } = answer.headers
  if (framing === 'complete') return completeAt(kept, answer)
  const declared = { ...headers, 'content-length': String(length ?? kept + missingBytes) }
  return breakAfter({ ...answer, headers: framing === 'chunked' ? headers : declared }, kept)
}

/** The answer whose connection breaks after so many bytes of its body, at the latest before the last one. */
export const resetAnswer = (answer: Answer, afterBytes: number): Answer =>
  breakAfter(answer, within(afterBytes, lengthOf(answer)))

/** The answer at so many bytes a second. It is not compressed, so that they are bytes of the body. */
export function dripAnswer(answer: Answer, bytesPerSecond: number, clock: Clock): Answer {
  const { body } = answer
  if (body === null) return answer
  return { ...answer, gzip: false, body: paced(streamOf(body), bytesPerSecond, clock) }
}

/** Undefined where the body is still on its way. */
const lengthOf = ({ body }: Answer): number | undefined =>
  body instanceof ReadableStream ? undefined : (body?.length ?? 0)

const within = (bytes: number, length: number | undefined): number =>
  length === undefined ? bytes : Math.min(bytes, Math.max(0, length - 1))

function breakAfter(answer: Answer, afterBytes: number): Answer {
  const before = answer.break
  if (before === 'reset' || (before && before.afterBytes <= afterBytes)) return answer
  return { ...answer, break: { afterBytes } }
}

function completeAt(kept: number, answer: Answer): Answer {
  const { body, headers } = answer
  if (body instanceof ReadableStream) return { ...answer, body: firstBytes(body, kept) }
  return {
    ...answer,
    headers: { ...headers, 'content-length': String(kept) },
    body: body?.subarray(0, kept) ?? null,
  }
}

function firstBytes(body: ReadableStream<Uint8Array>, kept: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = kept
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : {}
        if (value === undefined) {
          controller.close()
          await reader.cancel(new Error('A fault cut the answer.'))
          return
        }
        controller.enqueue(value.subarray(0, left))
        left -= Math.min(left, value.length)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function paced(
  body: ReadableStream<Uint8Array>,
  bytesPerSecond: number,
  clock: Clock,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const left = new AbortController()
  const most = Math.ceil(bytesPerSecond / dripsPerSecond)
  let rest = new Uint8Array()
  return new ReadableStream(
    {
      async pull(controller) {
        while (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = value as Uint8Array<ArrayBuffer>
        }
        const drop = rest.subarray(0, most)
        await clock.sleep((1000 * drop.length) / bytesPerSecond, left.signal)
        rest = rest.subarray(drop.length)
        controller.enqueue(drop)
      },
      async cancel(reason) {
        left.abort(reason)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
