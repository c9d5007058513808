import type { StatementResult } from '../engine/engine.ts'
import { concat } from '../engine/wire.ts'
import { statusOf, type Settings } from './settings.ts'
import { type Answer, answerHeaders, answerWhole } from './answer.ts'
import { type BoundRows, boundRows, pageOf } from './answers/row-limit.ts'
import { RowScanner } from './answers/row-scanner.ts'
import { emptyMessage, successMessage } from './answers/success-message.ts'

const utf8 = new TextEncoder()

/** What became of the rows, told once: all `bytes` handed over, or the stream broken by `cause`. */
export type Delivered = (bytes: number, cause?: unknown) => void

/**
 * The answer to a statement that ran: `{"data":[...],"status":{...}}`, as a whole where all rows are there, else
 * streamed. Resolves when the first page is there, so that an error before it still becomes an answer of its own.
 * An error after it breaks the stream: rows without their `status` never close into a valid document.
 *
 * @param url address of the request: it may name a page, where a variant bounds the rows of one
 * @throws whatever the first page of the result throws
 */
export async function answerRows(
  result: StatementResult,
  settings: Settings,
  delivered: Delivered,
  url: string,
): Promise<Answer> {
  const names = result.columns.map((column) => column.name)
  const columns = settings['rows.shape'] === 'array-with-columns' ? `"columns":${JSON.stringify(names)},` : ''
  const head = utf8.encode(`{${columns}"data":[`)
  const status = statusOf(settings['http.success'])
  const counter = settings['messages.success'] === 'row-count' ? new RowScanner() : undefined
  const message = () => successMessage(settings['messages.success'], () => counter?.rows ?? 0)
  const whole = (
    rows: readonly Uint8Array[],
    { member = '', headers }: Pick<BoundRows, 'member' | 'headers'> = {},
  ) => {
    for (const part of rows) counter?.read(part)
    const isEmpty = rows.every(({ length }) => length === 0)
    const end = tail(isEmpty ? emptyMessage(settings['messages.empty']) : message(), member)
    const body = concat(head, ...rows, end)
    delivered(body.length)
    return answerWhole(status, body, headers)
  }
  const { chunks } = result
  if (settings['rows.max'] !== 'none') {
    const bound = await boundRows(chunks, settings['rows.max'], pageOf(url))
    return whole([bound.rows], bound)
  }
  if (!(Symbol.asyncIterator in chunks)) return whole(chunks)
  const pages = counted(chunks[Symbol.asyncIterator](), counter)
  const first = await nextPage(pages)
  if (first === undefined) return whole([])
  const body = stream(concat(head, first), pages, () => tail(message()), delivered)
  return { status, headers: answerHeaders, body }
}

const tail = (message: string, member = ''): Uint8Array =>
  utf8.encode(`],${member}"status":${JSON.stringify({ state: 'success', message })}}`)

/** The same pages, their rows counted on the way where somebody counts. */
function counted(
  pages: AsyncIterator<Uint8Array>,
  counter: RowScanner | undefined,
): AsyncIterator<Uint8Array> {
  if (counter === undefined) return pages
  return {
    next: async () => {
      const page = await pages.next()
      if (!page.done) counter.read(page.value)
      return page
    },
    return: async () => (await pages.return?.()) ?? { done: true, value: undefined },
  }
}

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
  end: () => Uint8Array,
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
          const part = page ?? end()
          bytes += part.length
          controller.enqueue(part)
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
