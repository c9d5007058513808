import { longStatement } from '../../open-points/statements/max-length.ts'
import type { Call, RequestHeaders } from './call.ts'
import { Refusal, rejected } from '../answer/refusal.ts'
import type { Settings } from '../../open-points/settings.ts'

/** Longest statement in bytes of UTF-8: 1 MiB. The contract shows no limit; parsing a longer one would take seconds. */
export const maxStatementBytes = 1_048_576

/** How long a body may be, and what to say of a longer one. */
interface Longest {
  readonly bytes: number
  readonly problem: string
}

/** JSON may spend six bytes (`\u0041`) on one byte of the statement; the rest is for the object around it. */
const maxBodyBytes = 6 * maxStatementBytes + 1024

const tooLong = 'The statement is longer than 1 MiB. Split it into smaller statements.'
const ofStatement: Longest = { bytes: maxBodyBytes, problem: tooLong }

/** Refuses a body by its declared length, before it is read. */
export function checkDeclaredLength(headers: RequestHeaders): void {
  if (Number(headers.get('content-length')) > maxBodyBytes) throw new Refusal(413, tooLong)
}

/** Bodies that are arriving may hold this many bytes together; small ones do not count. */
const [maxArrivingBytes, smallBodyBytes] = [128 << 20, 64 << 10]
let arrivingBytes = 0

/**
 * Reads the body.
 *
 * @param withinMs the longest time for the body to arrive
 * @param longest default: that of a statement
 * @throws Refusal 413 as soon as the body is too long, 408 if it does not arrive in time, 503 if too many bodies are arriving
 */
export async function readBody(request: Call, withinMs: number, longest = ofStatement): Promise<Uint8Array> {
  let held = 0
  const hold = (bytes: number): void => {
    if (bytes > longest.bytes) throw new Refusal(413, longest.problem)
    const more = bytes > smallBodyBytes ? bytes - held : 0
    if (arrivingBytes + more > maxArrivingBytes) throw tooMany()
    held += more
    arrivingBytes += more
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLate(withinMs)), withinMs)
      read(request, hold).then(resolve, reject)
    })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body ended before it was complete.')
  } finally {
    clearTimeout(timer)
    arrivingBytes -= held
  }
}

/** The body of a request that was refused before, for the log: if it is short and arrives within a second, unasked. */
export const readRefused = async (request: Call): Promise<Uint8Array | undefined> =>
  request.headers.has('expect') ? undefined : readBody(request, 1000, shortBody).catch(() => undefined)

/** @param hold is called with the length so far, and throws if that is too much */
async function read(request: Call, hold: (bytes: number) => void): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    hold(Number(declared))
    // HTTP enforces the declared length: reading at once saves a stream per request
    const body = new Uint8Array(await request.arrayBuffer())
    hold(body.length)
    return body
  }
  let body = new Uint8Array(1024)
  let length = 0
  for await (const chunk of request.body ?? []) {
    const end = length + chunk.length
    hold(end)
    // many small chunks would take far more memory than their bytes
    if (end > body.length) {
      const longer = new Uint8Array(2 * end)
      longer.set(body.subarray(0, length))
      body = longer
    }
    body.set(chunk, length)
    length = end
  }
  return body.subarray(0, length)
}

/** @throws Refusal, SqlError or ConnectionReset for a statement over the limit, as `statements.max-length` chooses */
export function checkStatementLength(statement: string, settings: Settings): void {
  if (statement.length * 3 <= maxStatementBytes) return
  if (new TextEncoder().encode(statement).length <= maxStatementBytes) return
  const rejection = longStatement(settings)
  if (rejection !== undefined) throw rejected(rejection, tooLong)
}

function tooMany(): Refusal {
  return new Refusal(503, 'Too many long bodies are arriving. Send the request again in a moment.', {
    'retry-after': '1',
  })
}

function tooLate(withinMs: number): Refusal {
  return new Refusal(408, `The body did not arrive within ${withinMs / 1000} s. Send the request again.`, {
    connection: 'close',
  })
}

/** The longest body that is no statement lists faults. */
const shortBody: Longest = { bytes: 65_536, problem: 'The body is too long. Send at most 64 KiB.' }

/**
 * Reads the body of a request that is no statement: those of `/_mock/*`.
 *
 * @throws Refusal 413 for more than 64 KiB, 408 if it does not arrive within 10 s, 400 if it is truncated
 */
export const readShortBody = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await readBody(request, 10_000, shortBody))
