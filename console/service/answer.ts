import { RowScanner } from '../../mock/app/answer/row-scanner.ts'
import { parseJson } from './wire-number.ts'

/** The rows of a statement as a table. */
export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly message: string
  readonly status: number
  readonly bytes: number
  /** Whether the page stopped reading before the end. */
  readonly isCut: boolean
}

/** The service answered with an error, or with something that is not the envelope. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed'
  /** HTTP status; undefined if nothing was sent. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** How much of an answer is read so far. */
export interface Progress {
  bytes: number
  rows: number
}

/** Most bytes of an answer that the page reads. More would exhaust the memory of a browser tab. */
export const readLimit = 48 << 20

/**
 * Reads an answer of the statement endpoint.
 *
 * @param progress is kept up to date meanwhile
 * @throws StatementFailed for an error of the service or a truncated body
 */
export async function readAnswer(
  response: Response,
  limit = readLimit,
  progress: Progress = { bytes: 0, rows: 0 },
): Promise<Answer> {
  const { text, bytes, isCut } = await readText(response, limit, progress)
  const { status } = response
  const body = parse(text)
  if (!isEnvelope(body))
    throw new StatementFailed(
      text === ''
        ? `The answer is empty (HTTP ${status}).`
        : `The answer is not the envelope: ${text.slice(0, 300)}`,
      status,
    )
  const { state, message = '' } = body.status ?? {}
  if (state === 'error' || (!response.ok && body.data.length === 0))
    throw new StatementFailed(message, status)
  return { ...tableOf(body), message, status, bytes, isCut }
}

interface Envelope {
  readonly data: readonly unknown[]
  readonly columns?: readonly string[]
  readonly status?: { readonly state?: string; readonly message?: string }
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && Array.isArray((value as { data?: unknown }).data)

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Rows are objects, or arrays with or without the names of their columns (the open point rows.shape). */
function tableOf({ data, columns }: Envelope): Pick<Answer, 'columns' | 'rows'> {
  if (data.some(Array.isArray)) {
    const rows = data as readonly unknown[][]
    return { columns: columns ?? rows[0]!.map((_, index) => `column ${index + 1}`), rows }
  }
  const objects = data as readonly Readonly<Record<string, unknown>>[]
  // nulls may be left out, so one row need not have all columns
  const names = new Set<string>()
  for (const row of objects) for (const name in row) names.add(name)
  const all = [...names]
  return { columns: all, rows: objects.map((row) => all.map((name) => row[name] ?? null)) }
}

async function readText(
  response: Response,
  limit: number,
  progress: Progress,
): Promise<{ text: string; bytes: number; isCut: boolean }> {
  if (!response.body) return { text: '', bytes: 0, isCut: false }
  const reader = response.body.getReader()
  const parts: Uint8Array[] = []
  const scanner = new RowScanner()
  let bytes = 0
  let isCut = false
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if ((error as Error).name === 'AbortError') throw error
      throw new StatementFailed(`The connection broke after ${bytes} bytes of the answer.`, response.status)
    })
    if (done) break
    parts.push(value)
    bytes += value.length
    scanner.read(bytes === value.length ? value.subarray(startOfRows(value)) : value)
    Object.assign(progress, { bytes, rows: scanner.rows })
    isCut = bytes >= limit
    if (isCut) break
  }
  const all = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
  if (!isCut) return { text: new TextDecoder().decode(all), bytes, isCut }
  await reader.cancel()
  return { text: wholeRows(all), bytes, isCut }
}

/** Where the rows of a body begin, which stand in its first bytes. */
const startOfRows = (bytes: Uint8Array): number =>
  new TextDecoder().decode(bytes.subarray(0, 4096)).indexOf('"data":[') + '"data":['.length

/** The complete rows of a body that was cut, as a complete envelope. */
export function wholeRows(bytes: Uint8Array): string {
  const decoder = new TextDecoder()
  const start = startOfRows(bytes)
  const rows = bytes.subarray(start)
  const scanner = new RowScanner()
  scanner.read(rows)
  const end = new RowScanner().read(rows, scanner.rows)
  return `${decoder.decode(bytes.subarray(0, start))}${decoder.decode(rows.subarray(0, end))}]}`
}
