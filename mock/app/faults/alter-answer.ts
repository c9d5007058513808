import type { TruncateFault } from '../../../schemas/generated/types.ts'
import type { Answer } from '../answer/answer.ts'
import { streamOf, truncated } from '../answer/truncated-body.ts'
import type { Clock } from './clock.ts'

/** If the length of a body is unknown, the declared length exceeds the sent bytes by this many. */
const missingBytes = 1024

/** The most parts of a dripping body per second. */
const dripsPerSecond = 10

/** The answer with a truncated body. */
export function truncateAnswer(answer: Answer, { bytes, framing = 'content-length' }: TruncateFault): Answer {
  const length = lengthOf(answer)
  const kept = within(bytes, length)
  const { 'content-length': _, ...headers } = answer.headers
  if (framing === 'complete') return completeAt(kept, answer)
  const declared = { ...headers, 'content-length': String(length ?? kept + missingBytes) }
  return breakAfter({ ...answer, headers: framing === 'chunked' ? headers : declared }, kept)
}

/** The answer whose connection breaks after this many bytes of its body, at the latest before the last byte. */
export const resetAnswer = (answer: Answer, afterBytes: number): Answer =>
  breakAfter(answer, within(afterBytes, lengthOf(answer)))

/** The answer at a number of bytes per second. It is not compressed, so that they are bytes of the body. */
export function dripAnswer(answer: Answer, bytesPerSecond: number, clock: Clock): Answer {
  const { body } = answer
  if (body === null) return answer
  return { ...answer, gzip: false, body: paced(streamOf(body), bytesPerSecond, clock) }
}

/** Undefined if the body is streamed. */
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
  if (body instanceof ReadableStream) return { ...answer, body: truncated(body, kept, 'complete') }
  return {
    ...answer,
    headers: { ...headers, 'content-length': String(kept) },
    body: body?.subarray(0, kept) ?? null,
  }
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
