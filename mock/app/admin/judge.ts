import type { Context } from 'hono'
import { toResponse } from '../answer.ts'
import { Refusal } from '../refusal.ts'
import { readShortBody } from '../short-body.ts'

/** What is to be judged. Default: this server. */
export interface JudgeTask {
  readonly baseUrl?: string
  readonly token?: string
}

/**
 * Starts the suite, of which the server imports nothing.
 *
 * @returns the report as NDJSON, line by line while the suite runs; cancelling it ends the run
 * @throws Refusal for a target that may not be judged, or while another run lasts
 */
export type Judge = (task: JudgeTask, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** `POST /_mock/judge` with `{baseUrl, token}`: the report as it grows. */
export function judgeRoute(judge: Judge, closing: AbortSignal): (c: Context) => Promise<Response> {
  return async ({ req }) => {
    const task = taskIn(await readShortBody(req.raw))
    const body = await judge(task, AbortSignal.any([req.raw.signal, closing]))
    return toResponse({ status: 200, headers: { 'content-type': 'application/x-ndjson' }, body })
  }
}

function taskIn(body: string): JudgeTask {
  try {
    const { baseUrl, token } = JSON.parse(body) as JudgeTask
    if ([baseUrl, token].every((value) => value === undefined || typeof value === 'string'))
      return { ...(baseUrl !== undefined && { baseUrl }), ...(token !== undefined && { token }) }
  } catch {
    // told below
  }
  throw new Refusal(400, 'Send {} to judge this server, or {"baseUrl": "https://…", "token": "…"}.')
}
