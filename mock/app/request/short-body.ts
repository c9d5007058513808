import { readBody } from './limits.ts'

/** The longest of them lists faults. */
const longest = { bytes: 65_536, problem: 'The body is too long. Send at most 64 KiB.' }

/** Longest time for a body to arrive, in milliseconds. */
const withinMs = 10_000

/**
 * Reads the body of a request that is no statement: those of `/_mock/*`.
 *
 * @throws Refusal 413 for more than 64 KiB, 408 if it does not arrive in time, 400 if it is truncated
 */
export const readShortBody = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await readBody(request, withinMs, longest))
