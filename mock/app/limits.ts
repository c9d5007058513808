import { longStatement } from '../open-points/statements/max-length.ts'
import { Refusal } from './refusal.ts'
import { rejected } from './rejection.ts'
import type { Settings } from './settings.ts'

/** Longest statement in bytes of UTF-8: 1 MiB. The contract shows no limit; parsing a longer one would take seconds. */
export const maxStatementBytes = 1_048_576

/** JSON may spend six bytes (`\u0041`) on one byte of the statement; the rest is for the object around it. */
const maxBodyBytes = 6 * maxStatementBytes + 1024

/** Refuses a body by its declared length, before it is read. */
export function checkDeclaredLength(headers: Headers): void {
  if (Number(headers.get('content-length')) > maxBodyBytes) throw tooLarge()
}

/**
 * Reads the body.
 *
 * @param withinMs the longest time for the body to arrive
 * @throws Refusal 413 as soon as the body is too long, 408 if it does not arrive in time
 */
export async function readBody(request: Request, withinMs: number): Promise<Uint8Array> {
  // HTTP enforces the declared length, which is checked already: reading at once saves a stream per request
  const reading = request.headers.has('content-length') ? request.arrayBuffer() : readCounting(request)
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(withinMs)), withinMs)
  })
  try {
    const body = new Uint8Array(await Promise.race([reading, tooSlow]))
    if (body.length > maxBodyBytes) throw tooLarge()
    return body
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body ended before it was complete.')
  } finally {
    clearTimeout(timer)
  }
}

async function readCounting(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  const body = new Uint8Array(length)
  for (const chunk of chunks.toReversed()) body.set(chunk, (length -= chunk.length))
  return body
}

/** @throws Refusal, SqlError or ConnectionReset for a statement over the limit, as `statements.max-length` chooses */
export function checkStatementLength(statement: string, settings: Settings): void {
  if (statement.length * 3 <= maxStatementBytes) return
  if (new TextEncoder().encode(statement).length <= maxStatementBytes) return
  const rejection = longStatement(settings)
  if (rejection !== undefined) throw rejected(rejection, tooLong)
}

const tooLong = 'The statement is longer than 1 MiB. Split it into smaller statements.'

function tooLarge(): Refusal {
  return new Refusal(413, tooLong)
}

function tooLate(withinMs: number): Refusal {
  return new Refusal(408, `The body did not arrive within ${withinMs / 1000} s. Send the request again.`, {
    connection: 'close',
  })
}
