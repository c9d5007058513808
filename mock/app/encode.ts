import { contract } from '../../schemas/generated/contract.ts'
import type { StatementResult } from '../engine/engine.ts'
import { concat } from '../engine/wire.ts'
import { statusOf, type Behaviour } from './behaviour.ts'
import { type Answer, answerHeaders, answerWhole } from './answer.ts'

const utf8 = new TextEncoder()
const { success, empty } = contract.messages

/** What became of the rows, told once: all `bytes` handed over, or the stream broken by `cause`. */
export type Delivered = (bytes: number, cause?: unknown) => void

/**
 * The answer to a statement that ran: `{"data":[...],"status":{...}}`, as a whole where all rows are there, else
 * streamed. Resolves when the first page is there, so that an error before it still becomes an answer of its own.
 * An error after it breaks the stream: rows without their `status` never close into a valid document.
 *
 * @throws whatever the first page of the result throws
 */
export async function answerRows(
  result: StatementResult,
  behaviour: Behaviour,
  delivered: Delivered,
): Promise<Answer> {
  const names = result.columns.map((column) => column.name)
  const columns =
    behaviour['rows.shape'] === 'array-with-columns' ? `"columns":${JSON.stringify(names)},` : ''
  const head = `{${columns}"data":[`
  const status = statusOf(behaviour['http.success'])
  const whole = (rows: readonly Uint8Array[]) => {
    const end = rows.every(({ length }) => length === 0) ? tail(empty) : tail(success)
    const body = concat(utf8.encode(head), ...rows, utf8.encode(end))
    delivered(body.length)
    return answerWhole(status, body)
  }
  const { chunks } = result
  if (!(Symbol.asyncIterator in chunks)) return whole(chunks)
  const pages = chunks[Symbol.asyncIterator]()
  const first = await nextPage(pages)
  if (first === undefined) return whole([])
  const body = stream(concat(utf8.encode(head), first), pages, utf8.encode(tail(success)), delivered)
  return { status, headers: answerHeaders, body }
}

const tail = (message: string) => `],"status":${JSON.stringify({ state: 'success', message })}}`

/** Pages without a byte say nothing about whether there are rows: skipped. */
async function nextPage(pages: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await pages.next()
    if (done) return undefined
    if (value.length > 0) return value
  }
}

/** Pulls a page only when the reader asks for one: a slow reader holds the engine back, not the memory. */
function stream(
  opening: Uint8Array,
  pages: AsyncIterator<Uint8Array>,
  end: Uint8Array,
  delivered: Delivered,
): ReadableStream<Uint8Array> {
  let next: Uint8Array | undefined = opening
  let bytes = 0
  let isTold = false
  const tell = (cause?: unknown) => {
    // A reader that leaves while a page is under way makes that page fail too.
    if (!isTold) delivered(bytes, cause)
    isTold = true
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const page = next ?? (await nextPage(pages))
          next = undefined
          bytes += (page ?? end).length
          controller.enqueue(page ?? end)
          if (page !== undefined) return
          controller.close()
          tell()
        } catch (cause) {
          controller.error(cause)
          tell(cause)
        }
      },
      async cancel(reason) {
        tell(reason ?? new Error('The client went away.'))
        await pages.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
