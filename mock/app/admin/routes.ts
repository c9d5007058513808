import type { MockSession } from '../sessions/mock-session.ts'
import { answerWhole, toResponse } from '../answer/answer.ts'
import { readBody, readShortBody } from '../request/limits.ts'
import { Refusal } from '../answer/refusal.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of a request to a route below `/_mock/`, at most 64 KiB. @param remedy for one that is no JSON @throws Refusal */
export const readJson = async (request: Request, remedy = ''): Promise<unknown> =>
  parsed(await readShortBody(request), remedy)

const longest = {
  bytes: 32 << 20,
  problem: 'The rows have more than 32 MiB. Send them in several requests.',
}

/** The same for a body with rows, at most 32 MiB; undefined for an empty one. @throws Refusal */
export async function readLongJson(request: Request): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(request, 60_000, longest))
  return text === '' ? undefined : parsed(text)
}

function parsed(text: string, remedy = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, `The body is not JSON.${remedy}`)
  }
}

export const json = (value: unknown, status = 200): Response =>
  toResponse(answerWhole(status, JSON.stringify(value)))

/**
 * The session that a request to a route below `/_mock/` is about. A request that changes something begins it, so call this once
 * its body is known to be valid. GET and HEAD do not.
 */
export type SessionOf = (request: Request) => MockSession
