import { readBody } from './limits.ts'
import { Refusal } from './refusal.ts'

/** Longest body in bytes: the longest of them lists faults. */
const maxBytes = 65_536

/** Longest time for a body to arrive, in milliseconds. */
const withinMs = 10_000

/**
 * Reads the body of a request that is no statement: those of `/_mock/*`. A body without a declared length is read up to the
 * limit of {@link readBody}.
 *
 * @throws Refusal 413 for more than 64 KiB, 408 if it does not arrive in time, 400 if it is truncated
 */
export async function readShortBody(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLong()
  const body = await readBody(request, withinMs).catch((error) => {
    throw error instanceof Refusal && error.status === 413 ? tooLong() : error
  })
  if (body.length > maxBytes) throw tooLong()
  return new TextDecoder().decode(body)
}

const tooLong = () => new Refusal(413, 'The body is too long. Send at most 64 KiB.')
