import { concat } from '../../engine/result/wire.ts'
import { successStatus } from '../../open-points/http/success.ts'
import { emptyMessage } from '../../open-points/messages/empty.ts'
import { successMessage } from '../../open-points/messages/success.ts'
import { rowLimit } from '../../open-points/rows/max.ts'
import { rowShape } from '../../open-points/rows/shape.ts'
import type { StatementResult } from '../../statement.ts'
import { type Answer, answerHeaders, answerWhole } from './answer.ts'
import { type LimitedRows, limitRows } from './row-limit.ts'
import { RowScanner } from './row-scanner.ts'
import type { Settings } from '../../open-points/settings.ts'

const utf8 = new TextEncoder()

const usualHead = utf8.encode('{"data":[')

/** Called once for a body that is streamed: all `bytes` are sent, or `cause` broke the stream. */
export type Delivered = (bytes: number, cause?: unknown) => void

/** Rows of up to this size are held back until the statement ends. */
const heldBytes = 1 << 20

/**
 * The answer to a statement that ran: `{"data":[...],"status":{...}}`, whole up to 1 MiB of rows, else streamed. An error
 * within the first MiB still becomes an answer of its own. An error after it breaks the stream: rows without their `status`
 * never close into a valid document.
 *
 * @param url the address of the request, which may choose a page
 * @throws the error of the first MiB
 */
export async function answerRows(
  result: StatementResult,
  settings: Settings,
  delivered: Delivered,
  url: string,
): Promise<Answer> {
  const { chunks, columns } = result
  const head = rowShape(settings).listsColumns
    ? utf8.encode(`{"columns":${JSON.stringify(columns)},"data":[`)
    : usualHead
  const status = successStatus(settings)
  const success = successMessage(settings)
  const counter = typeof success === 'function' ? new RowScanner() : undefined
  const message = () => (typeof success === 'function' ? success(counter?.rows ?? 0) : success)
  const whole = (
    rows: readonly Uint8Array[],
    { member, headers }: Pick<LimitedRows, 'member' | 'headers'> = {},
  ) => {
    const isEmpty = rows.every(({ length }) => length === 0)
    const end = tail(isEmpty ? emptyMessage(settings) : message(), member)
    const body = concat(head, ...rows, end)
    return answerWhole(status, body, headers)
  }
  const limit = rowLimit(settings)
  if (limit) {
    const limited = await limitRows(chunks, limit, url)
    counter?.read(limited.rows)
    return whole([limited.rows], limited)
  }
  if (!(Symbol.asyncIterator in chunks)) {
    for (const part of chunks) counter?.read(part)
    return whole(chunks)
  }
  const pages = counted(chunks[Symbol.asyncIterator](), counter)
  const held: Uint8Array[] = []
  for (let bytes = 0; bytes <= heldBytes; bytes += held.at(-1)!.length) {
    const page = await nextPage(pages)
    if (page === undefined) return whole(held)
    held.push(page)
  }
  const body = stream(concat(head, ...held), pages, () => tail(message()), delivered)
  return { status, headers: answerHeaders, body }
}

let lastTail: { readonly message: string; readonly member: string; readonly bytes: Uint8Array } | undefined

/** The end of an answer. Most answers end like the one before. */
function tail(message: string, member = ''): Uint8Array {
  if (lastTail?.message !== message || lastTail.member !== member) {
    const bytes = utf8.encode(`],${member}"status":${JSON.stringify({ state: 'success', message })}}`)
    lastTail = { message, member, bytes }
  }
  return lastTail.bytes
}

/** The same pages; the counter, if there is one, reads them on the way. */
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

/** The next page that is not empty: an empty page does not mean that there are no rows. */
async function nextPage(pages: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await pages.next()
    if (done) return undefined
    if (value.length > 0) return value
  }
}

/** Pulls a page only when the reader asks for one: a slow reader slows the engine down and fills no memory. */
function stream(
  opening: Uint8Array,
  pages: AsyncIterator<Uint8Array>,
  end: () => Uint8Array,
  delivered: Delivered,
): ReadableStream<Uint8Array> {
  let next: Uint8Array | undefined = opening
  let bytes = 0
  let isReported = false
  const report = (cause?: unknown) => {
    // if a reader leaves while a page is on its way, that page fails too
    if (!isReported) delivered(bytes, cause)
    isReported = true
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
          report()
        } catch (cause) {
          controller.error(cause)
          report(cause)
        }
      },
      async cancel(reason) {
        report(reason ?? new Error('The client went away.'))
        await pages.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
