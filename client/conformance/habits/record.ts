import { createHash } from 'node:crypto'
import { contract } from '../../../schemas/contract.ts'
import { jsonText } from '../../../base/text/json-text.ts'
import { type Answer, toResponse } from '../../../mock/app/answer/answer.ts'
import { type Call, pathOf } from '../../../mock/app/request/call.ts'
import type { App } from '../../../mock/app/app.ts'
import type { Ending, Exchange, RecordedBody } from '../rules/exchange.ts'

/** Bytes of a body that an exchange keeps. Longer answers are judged only by their beginning. */
const KEPT_BYTES = 4 << 20

/** The request headers that an exchange keeps. */
const KEPT_HEADERS = ['accept', 'authorization', 'content-length', 'content-type', 'user-agent']

/** An exchange and a digest of its answer, to notice that an answer differs from another. */
export interface Recorded {
  readonly exchange: Exchange
  readonly digest: string
}

/** The application that also reports each exchange of the statement endpoint when it has ended. */
export function recording(app: App, report: (recorded: Recorded) => void): App {
  const answer = async (call: Call): Promise<Answer> => {
    const path = pathOf(call.url)
    if (!isEndpoint(path) || call.method === 'OPTIONS') return app.answer(call)
    const startedMs = now()
    const bytes = await bytesOf(call)
    const request = { startedMs, method: call.method, path, headers: headersOf(call), body: bodyOf([bytes]) }
    let isReported = false
    const end: End = (ending, answer, parts = []) => {
      // a stream that is left may still fail afterwards
      if (isReported) return
      isReported = true
      const recorded = answer && { status: answer.status, headers: answer.headers, body: bodyOf(parts) }
      report({
        exchange: { ...request, endedMs: now(), ending, ...(recorded && { answer: recorded }) },
        digest: digestOf(ending, answer, parts),
      })
    }
    try {
      return observed(await app.answer(withBytes(call, bytes)), end)
    } catch (error) {
      end('aborted')
      throw error
    }
  }
  return { answer, fetch: async (call) => toResponse(await answer(call)) }
}

const isEndpoint = (path: string): boolean => [path, `${path}/`].includes(contract.endpoint.path)

type End = (ending: Ending, answer?: Pick<Answer, 'status' | 'headers'>, parts?: Uint8Array[]) => void

/** The same answer; `end` is called when its body has been delivered as far as it will be. */
function observed(answer: Answer, end: End): Answer {
  const { body, break: failure } = answer
  if (failure === 'reset') end('reset')
  else if (body instanceof ReadableStream) return { ...answer, body: observedStream(body, answer, end) }
  else if (failure) end('truncated', answer, [body?.subarray(0, failure.afterBytes) ?? new Uint8Array()])
  else end('complete', answer, body ? [body] : [])
  return answer
}

function observedStream(
  body: ReadableStream<Uint8Array>,
  answer: Answer,
  end: End,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            parts.push(value.slice())
            return controller.enqueue(value)
          }
          end('complete', answer, parts)
          controller.close()
        } catch (error) {
          end('truncated', answer, parts)
          controller.error(error)
        }
      },
      async cancel(reason) {
        // an injected fault leaves the body early too
        end(answer.break ? 'truncated' : 'aborted', answer, parts)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Milliseconds since 1970 that never go back. */
const now = (): number => performance.timeOrigin + performance.now()

async function bytesOf(call: Call): Promise<Uint8Array> {
  if (call.headers.has('content-length')) return new Uint8Array(await call.arrayBuffer())
  const parts: Uint8Array[] = []
  for await (const part of call.body ?? []) parts.push(part)
  return Buffer.concat(parts)
}

/** The call with a body that has been read. */
const withBytes = (call: Call, bytes: Uint8Array): Call => ({
  method: call.method,
  url: call.url,
  signal: call.signal,
  headers: call.headers,
  body: [bytes],
  arrayBuffer: async () => bytes.slice().buffer as ArrayBuffer,
})

const headersOf = ({ headers }: Call): Record<string, string> =>
  Object.fromEntries(KEPT_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])))

function bodyOf(parts: readonly Uint8Array[]): RecordedBody {
  const bytes = Buffer.concat(parts)
  return { ...jsonText(bytes.subarray(0, KEPT_BYTES)), isWhole: bytes.length <= KEPT_BYTES }
}

function digestOf(
  ending: Ending,
  answer: Pick<Answer, 'status' | 'headers'> | undefined,
  parts: readonly Uint8Array[],
): string {
  const hash = createHash('sha1').update(JSON.stringify([ending, answer?.status, answer?.headers]))
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}
